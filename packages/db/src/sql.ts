import { internal } from '@hearth/errors';
import type { Statement } from './types.ts';

/** A part of statements, with the values that stand in it. */
export class Fragment {
  readonly #strings: readonly string[];
  readonly #given: readonly unknown[];

  constructor(strings: readonly string[], given: readonly unknown[]) {
    this.#strings = strings;
    this.#given = given;
  }

  /** Its text; appends its values to `values`, where they are `$n`. */
  write(values: unknown[]): string {
    return this.#strings.reduce((before, part, index) => {
      const one = this.#given[index - 1];
      return `${before}${one instanceof Fragment ? one.write(values) : `$${values.push(one)}`}${part}`;
    });
  }

  /** For a text that is put together by hand, where no value may stand. */
  toString(): string {
    const values: unknown[] = [];
    const text = this.write(values);
    if (values.length > 0) throw internal('a fragment with values stands in a text');
    return text;
  }
}

/** For statements with the same parts: fragment`handle = ${handle}`. */
export const fragment = (strings: TemplateStringsArray, ...given: unknown[]): Fragment =>
  new Fragment(strings, given);

/** Text that the program made, such as names of columns. It is pasted as it is: never give it what came from outside. */
export const raw = (text: string | number): Fragment => new Fragment([`${text}`], []);

/** Those of these parts that are there, one after the other: where true ${allOf([app !== null && fragment`and app = ${app}`])}. */
export function allOf(parts: readonly (Fragment | false)[]): Fragment {
  return parts.reduce<Fragment>((all, part) => (part === false ? all : fragment`${all} ${part}`), fragment``);
}

/**
 * A statement from a template: sql`select id from people where handle = ${handle}`. Every value becomes a
 * `$n` parameter and is never pasted into the text. The text of a fragment is.
 */
export function sql(strings: TemplateStringsArray, ...given: unknown[]): Statement {
  const values: unknown[] = [];
  return { text: new Fragment(strings, given).write(values), values };
}

/** The same, prepared under that name: named('find_person')`select id from people where handle = ${handle}`. */
export const named =
  (name: string) =>
  (strings: TemplateStringsArray, ...given: unknown[]): Statement => ({ name, ...sql(strings, ...given) });
