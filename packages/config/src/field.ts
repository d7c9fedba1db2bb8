import type { Mistake } from './config-error.ts';

/** Environment variables, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The description of one variable in the operators' manual and by `--help`. */
export interface VariableDescription {
  name: string;
  /** Its effect, and what follows from setting it. */
  meaning: string;
  /** The default, in words. */
  default: string;
  /** The unit of its number, or what its text is (`URL`, `list`). */
  unit: string;
  /** True when `<NAME>_FILE` may name a file that holds the value. */
  fromFile: boolean;
}

/** Where a field finds the variables, and where it leaves what is wrong with them. */
export interface Source {
  /** The trimmed text of a variable; undefined when it is missing or empty. */
  text(name: string): string | undefined;
  /** The same for a variable that may come by `<NAME>_FILE` too; undefined also when a mistake was noted. */
  textOrFile(name: string): string | undefined;
  /** The content of a file, or undefined with a mistake noted about `variable`. */
  file(variable: string, path: string, expected?: string): string | undefined;
  /** Every variable that is given and whose name starts so. */
  startingWith(prefix: string): [name: string, text: string][];
  mistake(mistake: Mistake): void;
}

/** One key of a declaration: the variables it reads and the value it makes of them. */
export interface Field<Value> {
  describe: readonly VariableDescription[];
  /** The value; `earlier` holds the keys declared before. A value returned beside a mistake is never used. */
  read(source: Source, earlier: Readonly<Record<string, unknown>>): Value | undefined;
}

export type Declaration = Readonly<Record<string, Field<unknown>>>;

/** The values that a declaration reads. */
export type ConfigOf<D extends Declaration> = {
  readonly [Key in keyof D]: D[Key] extends Field<infer Value> ? Value : never;
};

/** A value, or a function that makes it of keys declared earlier (which its parameter's type names). */
// biome-ignore lint/suspicious/noExplicitAny: the keys declared earlier cannot be inferred inside one literal
export type Default<Value> = Value | ((earlier: any) => Value);

export function resolveDefault<Value>(
  given: Default<Value>,
  earlier: Readonly<Record<string, unknown>>,
): Value {
  return typeof given === 'function' ? (given as (earlier: unknown) => Value)(earlier) : given;
}

/** Quotes a value for a mistake: bounded, on one line, without control characters. */
export function quote(text: string): string {
  const shown = text.length > 100 ? `${text.slice(0, 100)}...` : text;
  return JSON.stringify(shown);
}
