import type { Language } from './language.ts';
import type { Messages } from './messages.ts';

/** A value of a message: text, a number, another text, or markup that the page made. */
export type Value = string | number | object;

/** Puts the words inside a tag of a message into markup: `inside => html\`<b>${inside}</b>\``. */
export type Tag = (inside: readonly Value[]) => Value;

/** A text, worded once its reader's language is known. */
export abstract class Text {
  /** Returns its words; values that are not text stay as they are. */
  abstract parts(language: Language): readonly Value[];

  /** The text as data, for `readText`. @throws TypeError if one of its values is no data */
  toJSON(): StoredText {
    throw new TypeError('dates, numbers and markup of a page cannot be stored');
  }

  /** Throws: a text has no words before its language is known. */
  toString(): string {
    throw new TypeError('a text has no words before its language is known: language.words(text)');
  }
}

/** A text as data, as a database or another service keeps it until its reader is known. */
export type StoredText =
  | string
  | number
  | { readonly key: string; readonly values: Readonly<Record<string, StoredText>> }
  | { readonly list: readonly StoredText[]; readonly type: ListType }
  /** ISO 8601 */
  | { readonly at: string }
  /** Words of others. */
  | { readonly words: string };

function stored(value: Value | Tag): StoredText {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Text) return value.toJSON();
  throw new TypeError('markup cannot be stored');
}

type Values = Readonly<Record<string, Value | Tag>>;

export class Message extends Text {
  readonly #key: string;
  readonly #values: Values;

  constructor(key: string, values: Values) {
    super();
    this.#key = key;
    this.#values = values;
  }

  parts(language: Language): readonly Value[] {
    return language.format(this.#key, this.#values);
  }

  override toJSON(): StoredText {
    const values = Object.entries(this.#values).map(([name, value]) => [name, stored(value)] as const);
    return { key: this.#key, values: Object.fromEntries(values) };
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

class Verbatim extends Text {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  parts(): readonly Value[] {
    return [this.#text];
  }

  override toJSON(): StoredText {
    return { words: this.#text };
  }
}

type Arguments<Key extends keyof Messages> = Messages[Key] extends null ? [] : [values: Messages[Key]];

/** A message of the catalogues, with its values. */
export function t<Key extends keyof Messages>(key: Key, ...values: Arguments<Key>): Text {
  return new Message(key, (values[0] ?? {}) as Values);
}

/** A text from no catalogue: a name, an address, a service's own English. */
export const verbatim = (text: string): Text => new Verbatim(text);

/** A text from `Intl`: a date, a number. */
export const formatted = (write: (language: Language) => string): Text => new Formatted(write);

class Instant extends Text {
  readonly #at: Date;

  constructor(at: Date) {
    super();
    this.#at = at;
  }

  parts(): readonly Value[] {
    return [this.#at.toISOString()];
  }

  override toJSON(): StoredText {
    return { at: this.#at.toISOString() };
  }
}

/** An instant in a stored text. `readText` shows it by the reader's clock; until then it is ISO 8601. */
export const instant = (at: Date): Text => new Instant(at);

type ListType = 'conjunction' | 'disjunction' | 'unit';

class Listed extends Text {
  readonly #items: readonly Value[];
  readonly #type: ListType;

  constructor(items: readonly Value[], type: ListType) {
    super();
    this.#items = items;
    this.#type = type;
  }

  parts({ tag }: Language): readonly Value[] {
    return new Intl.ListFormat(tag, { type: this.#type })
      .formatToParts(this.#items.map((_, index) => String(index)))
      .map(({ type, value }) => (type === 'element' ? this.#items[Number(value)]! : value));
  }

  override toJSON(): StoredText {
    return { list: this.#items.map(stored), type: this.#type };
  }
}

/** "Ada, Bob and Cleo", with "or", or, as a unit, "Ada, Bob, Cleo". Items can be markup. */
export const listed = (items: readonly Value[], type: ListType = 'conjunction'): Text =>
  new Listed(items, type);
