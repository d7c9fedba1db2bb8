import type { Statement } from './types.ts';

/** Text of the program within statements: names of columns, a join. */
export class Fragment {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

const texts = new WeakMap<TemplateStringsArray, string>();

/**
 * A statement from a template: sql`select id from people where handle = ${handle}`. Every value becomes a
 * `$n` parameter and is never pasted into the text. A fragment is.
 */
export function sql(strings: TemplateStringsArray, ...given: unknown[]): Statement {
  const values = given.filter((one) => !(one instanceof Fragment));
  const isFixed = values.length === given.length;
  const known = isFixed ? texts.get(strings) : undefined;
  if (known !== undefined) return { text: known, values };
  let last = 0;
  const text = strings.reduce((before, part, index) => {
    const one = given[index - 1];
    return `${before}${one instanceof Fragment ? one : `$${++last}`}${part}`;
  });
  if (isFixed) texts.set(strings, text);
  return { text, values };
}

/** The same, prepared under that name: named('find_person')`select id from people where handle = ${handle}`. */
export const named =
  (name: string) =>
  (strings: TemplateStringsArray, ...given: unknown[]): Statement => ({ name, ...sql(strings, ...given) });

/** A part of statements: fragment`p.id, p.name`. All within it is pasted, so that no value may stand there. */
export const fragment = (strings: TemplateStringsArray, ...parts: (string | Fragment)[]): Fragment =>
  new Fragment(strings.reduce((before, part, index) => `${before}${parts[index - 1]}${part}`));
