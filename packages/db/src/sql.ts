import { internal } from '@hearth/errors';
import type { Statement } from './types.ts';

/** A part of a statement, with its values. */
export class Fragment {
  readonly #strings: readonly string[];
  readonly #given: readonly unknown[];

  constructor(strings: readonly string[], given: readonly unknown[]) {
    this.#strings = strings;
    this.#given = given;
  }

  /** Returns its text, with `$n` for its values, which are appended to `values`. */
  write(values: unknown[]): string {
    return this.#strings.reduce((before, part, index) => {
      const value = this.#given[index - 1];
      return `${before}${value instanceof Fragment ? value.write(values) : `$${values.push(value)}`}${part}`;
    });
  }

  /** For a text that is assembled by hand, which must not have values. */
  toString(): string {
    const values: unknown[] = [];
    const text = this.write(values);
    if (values.length > 0) throw internal('a fragment with values stands in a text');
    return text;
  }
}

/** For parts that several statements share: fragment`handle = ${handle}`. */
export const fragment = (strings: TemplateStringsArray, ...given: unknown[]): Fragment =>
  new Fragment(strings, given);

/** Text made by the program, such as column names. It is inserted as it is: never pass external input. */
export const raw = (text: string | number): Fragment => new Fragment([`${text}`], []);

/** Joins the parts that are not false: where true ${allOf([app !== null && fragment`and app = ${app}`])}. */
export function allOf(parts: readonly (Fragment | false)[]): Fragment {
  return parts.reduce<Fragment>((all, part) => (part === false ? all : fragment`${all} ${part}`), fragment``);
}

/**
 * Builds a statement from a template: sql`select id from people where handle = ${handle}`. Every value becomes a `$n`
 * parameter, and never part of the text. The text of a fragment does.
 */
export function sql(strings: TemplateStringsArray, ...given: unknown[]): Statement {
  const values: unknown[] = [];
  return { text: new Fragment(strings, given).write(values), values };
}

/** `sql` as a prepared statement with a name: named('find_person')`select id from people where handle = ${handle}`. */
export const named =
  (name: string) =>
  (strings: TemplateStringsArray, ...given: unknown[]): Statement => ({ name, ...sql(strings, ...given) });
