import { english } from './catalogues.ts';
import { instant, listed, Message, type StoredText, Text, type Value, verbatim } from './text.ts';

/**
 * Returns a stored text for its reader.
 *
 * @param text the JSON of a `Text`
 * @param written its English words at the time, shown if a message of it has left the catalogue
 * @param time shows an instant by the reader's clock
 * @param quote shows words of others that were stored as `verbatim`
 */
export function readText(
  text: unknown,
  written: string,
  time: (at: Date) => Value = instant,
  quote: (words: string) => Value = verbatim,
): Text | string {
  return (read(text as StoredText | null | undefined) ?? written) as Text | string;

  /** Null for anything this version doesn't know. */
  function read(stored: StoredText | null | undefined): Value | null {
    if (typeof stored !== 'object' || stored === null) return stored ?? null;
    if ('at' in stored) return time(new Date(stored.at));
    if ('words' in stored) return quote(stored.words);
    if ('list' in stored) {
      const items = stored.list.map(read);
      return items.includes(null) ? null : listed(items as Value[], stored.type);
    }
    const values = Object.entries(stored.values).map(([name, value]) => [name, read(value)] as const);
    const isKnown = english.has(stored.key) && values.every(([, value]) => value !== null);
    return isKnown ? new Message(stored.key, Object.fromEntries(values) as Record<string, Value>) : null;
  }
}

type Json = string | number | { [name: string]: Json } | Json[];

/**
 * Texts for an event: in English, and those that the home worded as data too, for `readText`.
 *
 * @param texts by their names; strings are the words of others
 */
export function storeTexts<Name extends string>(
  texts: Readonly<Record<Name, Text | string>>,
): Record<Name, string> & { wording: { [name: string]: Json } } {
  const entries = Object.entries<Text | string>(texts);
  const worded = entries.filter(([, text]) => text instanceof Text);
  return {
    ...(Object.fromEntries(entries.map(([name, text]) => [name, english.words(text)])) as Record<
      Name,
      string
    >),
    wording: JSON.parse(JSON.stringify(Object.fromEntries(worded))),
  };
}
