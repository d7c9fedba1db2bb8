import { HomeRefusal } from '../domain/home-answer.ts';

/**
 * Reads a parameter of a query. @param otherwise its value where it is left out; null where it may not be
 *
 * @throws HomeRefusal
 */
export function readNumber(query: URLSearchParams, name: string, otherwise: number | null): number {
  const text = query.get(name);
  if (text === null && otherwise !== null) return otherwise;
  if (text === null || !/^\d{1,15}$/.test(text))
    throw new HomeRefusal('bad_batch', `${name} must be a whole number`);
  return Number(text);
}
