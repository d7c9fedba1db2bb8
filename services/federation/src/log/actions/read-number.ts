import { HomeRefusal } from '../domain/home-answer.ts';

/** Reads a query parameter. @param otherwise its value if absent; null if it is required @throws HomeRefusal */
export function readNumber(query: URLSearchParams, name: string, otherwise: number | null): number {
  const text = query.get(name);
  if (text === null && otherwise !== null) return otherwise;
  if (text === null || !/^\d{1,15}$/.test(text))
    throw new HomeRefusal('bad_batch', `${name} must be a whole number`);
  return Number(text);
}
