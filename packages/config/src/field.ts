import type { Mistake } from './config-error.ts';

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The description of one variable in the operators' manual and by `--help`. */
export interface VariableDescription {
  name: string;
  /** The effect of the variable, and the consequences of setting it. */
  meaning: string;
  /** The default, in words. */
  default: string;
  /** The unit of a number, or the kind of text (`URL`, `list`). */
  unit: string;
  /** Whether `<NAME>_FILE` may name a file that contains the value. */
  fromFile: boolean;
}

/** Gives a field its variables, and collects its mistakes. */
export interface Source {
  /** The trimmed value of a variable; undefined if missing or empty. */
  text(name: string): string | undefined;
  /** Like `text`, but also reads `<NAME>_FILE`; undefined if that failed and a mistake was recorded. */
  textOrFile(name: string): string | undefined;
  /** The content of a file; on failure undefined, with a mistake recorded for `variable`. */
  file(variable: string, path: string, expected?: string): string | undefined;
  /** Every given variable whose name starts with the prefix. */
  startingWith(prefix: string): [name: string, text: string][];
  mistake(mistake: Mistake): void;
}

/** A key of a declaration: the variables it reads, and how it turns them into a value. */
export interface Field<Value> {
  describe: readonly VariableDescription[];
  /** Returns the value; `earlier` holds the keys declared before. If a mistake is recorded, the value is never used. */
  read(source: Source, earlier: Readonly<Record<string, unknown>>): Value | undefined;
}

export type Declaration = Readonly<Record<string, Field<unknown>>>;

/** The values that a declaration reads. */
export type ConfigOf<D extends Declaration> = {
  readonly [Key in keyof D]: D[Key] extends Field<infer Value> ? Value : never;
};

/** A value, or a function that computes it from keys declared earlier (named by the type of its parameter). */
// biome-ignore lint/suspicious/noExplicitAny: the keys declared earlier cannot be inferred inside one literal
export type Default<Value> = Value | ((earlier: any) => Value);

export function resolveDefault<Value>(
  given: Default<Value>,
  earlier: Readonly<Record<string, unknown>>,
): Value {
  return typeof given === 'function' ? (given as (earlier: unknown) => Value)(earlier) : given;
}

/** Quotes a value for a mistake: shortened, on one line, without control characters. */
export function quote(text: string): string {
  const shown = text.length > 100 ? `${text.slice(0, 100)}...` : text;
  return JSON.stringify(shown);
}
