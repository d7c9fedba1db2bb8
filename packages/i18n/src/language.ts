import { IntlMessageFormat } from 'intl-messageformat';
import { type Tag, Text, type Value } from './text.ts';

/** Messages in ICU syntax by their key. */
export type Catalogue = Readonly<Record<string, string>>;

/** A language in which the home talks. */
export interface Language {
  /** BCP 47; dates, numbers and plurals follow it. */
  readonly tag: string;
  readonly dir: 'ltr' | 'rtl';
  /** Returns a text as plain words. @throws TypeError if one of its values is markup */
  words(text: Text | string): string;
  /** True if its catalogue, or the fallback's, has the message. */
  has(key: string): boolean;
  format(key: string, values: Readonly<Record<string, Value | Tag>>): readonly Value[];
}

/** @param fallback for messages missing from the catalogue */
export function createLanguage(tag: string, catalogue: Catalogue, fallback?: Language): Language {
  const formats = new Map<string, IntlMessageFormat>();
  const { direction } = new Intl.Locale(tag).getTextInfo();

  function formatOf(key: string): IntlMessageFormat | null {
    const known = formats.get(key);
    if (known !== undefined) return known;
    const message = catalogue[key];
    if (message === undefined) return null;
    const made = new IntlMessageFormat(message, tag);
    formats.set(key, made);
    return made;
  }

  const language: Language = {
    tag,
    dir: direction === 'rtl' ? 'rtl' : 'ltr',
    words(text) {
      if (typeof text === 'string') return text;
      const parts = text.parts(language);
      for (const part of parts)
        if (typeof part === 'object' && !(part instanceof Text))
          throw new TypeError('markup has no place in plain words');
      return parts.map((part) => (part instanceof Text ? language.words(part) : String(part))).join('');
    },
    has: (key) => Object.hasOwn(catalogue, key) || fallback?.has(key) === true,
    format(key, values) {
      const format = formatOf(key);
      if (format !== null) return [format.format<Value>(values as Record<string, Value>)].flat() as Value[];
      if (fallback === undefined) throw new TypeError(`no message ${key}`);
      return fallback.format(key, values);
    },
  };
  return language;
}
