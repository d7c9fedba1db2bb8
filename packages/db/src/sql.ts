import type { Statement } from './types.ts';

const texts = new WeakMap<TemplateStringsArray, string>();

/**
 * A statement from a template: sql`select id from people where handle = ${handle}`. Every value becomes a
 * `$n` parameter; nothing is ever pasted into the text, which therefore stays the same at each call.
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  let text = texts.get(strings);
  if (text === undefined) {
    text = strings.reduce((before, part, index) => `${before}$${index}${part}`);
    texts.set(strings, text);
  }
  return { text, values };
}

/** The same statement as a prepared one, under that name. */
export function named(name: string, statement: Statement): Statement {
  return { name, text: statement.text, values: statement.values };
}
