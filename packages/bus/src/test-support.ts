import type { Log } from './bus.ts';

export interface Noted {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  details: object;
}

/** A log that keeps what was written, for tests to look at. */
export function notingLog(): Log & { entries: Noted[] } {
  const entries: Noted[] = [];
  const note = (level: Noted['level']) => (details: object, message: string) => {
    entries.push({ level, message, details });
  };
  return { entries, debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
export const bytes = (text: string) => encoder.encode(text);
export const text = (payload: Uint8Array) => decoder.decode(payload);

/** The key of a test's home on a NATS server. */
export const homeKey = new Uint8Array(32).fill(7);

export const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
