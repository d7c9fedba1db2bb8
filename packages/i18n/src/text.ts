import type { Language } from './language.ts';
import type { Messages } from './messages.ts';

/** A value of a message: text, a number, another text, or markup that the page made. */
export type Value = string | number | object;

/** Puts the words inside a tag of a message into markup: `inside => html\`<b>${inside}</b>\``. */
export type Tag = (inside: readonly Value[]) => Value;

/** A text that is worded when its reader's language is known. */
export abstract class Text {
  /** Its words, with values that are no text as they came. */
  abstract parts(language: Language): readonly Value[];

  /** Fails: a text has no words before its language is known. */
  toString(): string {
    throw new TypeError('a text has no words before its language is known: language.words(text)');
  }
}

class Message extends Text {
  readonly #key: string;
  readonly #values: Readonly<Record<string, Value | Tag>>;

  constructor(key: string, values: Readonly<Record<string, Value | Tag>>) {
    super();
    this.#key = key;
    this.#values = values;
  }

  parts(language: Language): readonly Value[] {
    return language.format(this.#key, this.#values);
  }
}

class Formatted extends Text {
  readonly #write: (language: Language) => string;

  constructor(write: (language: Language) => string) {
    super();
    this.#write = write;
  }

  parts(language: Language): readonly Value[] {
    return [this.#write(language)];
  }
}

type Arguments<Key extends keyof Messages> = Messages[Key] extends null ? [] : [values: Messages[Key]];

/** A message of the catalogues with its values. */
export function t<Key extends keyof Messages>(key: Key, ...values: Arguments<Key>): Text {
  return new Message(key, (values[0] ?? {}) as Readonly<Record<string, Value | Tag>>);
}

/** A text that `Intl` words: a date, a number. */
export const formatted = (write: (language: Language) => string): Text => new Formatted(write);

class Listed extends Text {
  readonly #items: readonly Value[];
  readonly #type: 'conjunction' | 'disjunction';

  constructor(items: readonly Value[], type: 'conjunction' | 'disjunction') {
    super();
    this.#items = items;
    this.#type = type;
  }

  parts({ tag }: Language): readonly Value[] {
    return new Intl.ListFormat(tag, { type: this.#type })
      .formatToParts(this.#items.map((_, index) => String(index)))
      .map(({ type, value }) => (type === 'element' ? this.#items[Number(value)]! : value));
  }
}

/** "Ada, Bob and Cleo", or with "or"; the items can be markup. */
export const listed = (items: readonly Value[], type: 'conjunction' | 'disjunction' = 'conjunction'): Text =>
  new Listed(items, type);
