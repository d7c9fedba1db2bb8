import { english, Text } from '@hearth/i18n';

/** A draft with its texts in English. */
export function inWords(value: unknown): unknown {
  if (value instanceof Text) return english.words(value);
  if (Array.isArray(value)) return value.map(inWords);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, inWords(inside)]));
}
