import { asTyped } from '@hearth/addresses';
import { type Default, type Field, quote, resolveDefault } from './field.ts';
import { Secret } from './secret.ts';

interface Described {
  /** The effect of the variable, in a sentence or two for operators. */
  help: string;
  /** The default as the manual shows it, if computed or not self-explanatory. */
  defaultText?: string;
}

type WithDefault<Value, Options> = Options & { default: Default<Value> };

/** Returned by a parser that rejects a text. */
export class Expected {
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

interface Single<Value> extends Described {
  unit: string;
  default?: Default<Value>;
  fromFile?: boolean;
  /** Whether a mistake may show the text; false if it may contain a secret. */
  shown?: boolean | ((text: string) => boolean);
  parse(text: string): Value | Expected;
}

/** A field that reads one variable: the base of the fields below, and usable for other kinds of value. */
export function single<Value>(name: string, options: Single<Value>): Field<Value | undefined> {
  const { help, unit, fromFile = false, shown = true, parse } = options;
  const defaultText = options.defaultText ?? printDefault(options.default);
  return {
    describe: [{ name, meaning: help, default: defaultText, unit, fromFile }],
    read(source, earlier) {
      const text = fromFile ? source.textOrFile(name) : source.text(name);
      if (text === undefined) {
        return options.default === undefined ? undefined : resolveDefault(options.default, earlier);
      }
      const value = parse(text);
      if (!(value instanceof Expected)) return value;
      const show = typeof shown === 'function' ? shown(text) : shown;
      const problem = show ? `is ${quote(text)}` : 'has an invalid value (not shown)';
      source.mistake({ variable: name, problem, expected: value.what });
      return undefined;
    },
  };
}

function printDefault(value: unknown): string {
  if (value === undefined || typeof value === 'function') return 'unset';
  if (Array.isArray(value)) return value.join(',') || 'none';
  return String(value);
}

interface IntegerOptions extends Described {
  min: number;
  max: number;
  unit?: string;
}

/** A whole number, bounds included. */
export function integer(name: string, options: WithDefault<number, IntegerOptions>): Field<number> {
  const { min, max, unit = 'number' } = options;
  return single(name, {
    ...options,
    unit,
    parse(text) {
      const typed = asTyped(text);
      const value = /^-?\d{1,15}$/.test(typed) ? Number(typed) : Number.NaN;
      return value >= min && value <= max ? value : new Expected(`a whole number from ${min} to ${max}`);
    },
  }) as Field<number>;
}

interface TextOptions extends Described {
  unit?: string;
  /** A pattern for the whole text; `expected` describes it. */
  pattern?: RegExp;
  expected?: string;
}

export function text(name: string, options: WithDefault<string, TextOptions>): Field<string> {
  return optionalText(name, options) as Field<string>;
}

export function optionalText(
  name: string,
  options: TextOptions & { default?: Default<string> },
): Field<string | undefined> {
  const { pattern, expected = 'a different text', unit = 'text' } = options;
  return single<string>(name, {
    ...options,
    unit,
    parse: (given) => (pattern === undefined || pattern.test(given) ? given : new Expected(expected)),
  });
}

/** One of a few words. */
export function oneOf<const Word extends string>(
  name: string,
  words: readonly Word[],
  options: WithDefault<NoInfer<Word>, Described>,
): Field<Word> {
  return single<Word>(name, {
    ...options,
    unit: words.join(', '),
    parse: (given) =>
      words.find((word) => word === asTyped(given).toLowerCase()) ??
      new Expected(`one of ${words.join(', ')}`),
  }) as Field<Word>;
}

interface ListOptions extends Described {
  /** Parses one item, or says why it is wrong. */
  item?(text: string): string | Expected;
}

/** A comma-separated list; empty if not given. */
export function list(name: string, options: ListOptions): Field<readonly string[]> {
  return single<readonly string[]>(name, {
    ...options,
    unit: 'list',
    default: [],
    parse(given) {
      const items = given
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
      const read = new Set<string>();
      for (const item of items) {
        const meant = options.item?.(item) ?? item;
        if (meant instanceof Expected) return new Expected(`${meant.what}, not ${quote(item)}`);
        read.add(meant);
      }
      return [...read];
    },
  }) as Field<readonly string[]>;
}

interface SecretOptions extends Described {
  /** A stricter check than non-empty; `expected` describes it. */
  pattern?: RegExp;
  expected?: string;
}

/** A secret, given directly or as `<NAME>_FILE`. */
export function secret(name: string, options: SecretOptions): Field<Secret | undefined> {
  const { pattern = /^[\x21-\x7e]+$/, expected = 'printable ASCII without spaces' } = options;
  return single<Secret>(name, {
    ...options,
    unit: 'secret',
    fromFile: true,
    shown: false,
    parse: (given) => (pattern.test(given) ? new Secret(given) : new Expected(expected)),
  });
}
