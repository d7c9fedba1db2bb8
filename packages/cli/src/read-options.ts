import { asTyped } from '@hearth/addresses';
import type { Values } from './command.ts';
import { UsageError } from './failure.ts';

const usual = 100;
const most = 10_000;

/** The number of entries to show. @throws UsageError */
export function readLimit({ limit }: Values): number {
  if (limit === undefined) return usual;
  const wanted = typeof limit === 'string' && /^\d{1,5}$/.test(limit) ? Number(limit) : 0;
  if (wanted < 1 || wanted > most)
    throw new UsageError(`--limit is "${limit}"; expected a whole number from 1 to ${most}`);
  return wanted;
}

/** One of the given words, or undefined. @throws UsageError */
export function readWord<Word extends string>(
  values: Values,
  option: string,
  words: readonly Word[],
): Word | undefined {
  const text = values[option];
  if (text === undefined) return undefined;
  const meant = words.find((word) => typeof text === 'string' && word === asTyped(text).toLowerCase());
  if (meant !== undefined) return meant;
  throw new UsageError(`--${option} is "${text}"; expected one of ${words.join(', ')}`);
}

/** @throws UsageError */
export function readRequired(values: Values, option: string): string {
  const text = values[option];
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw new UsageError(`--${option} is required`);
}
