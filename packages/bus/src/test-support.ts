import { systemClock } from '@hearth/clock';
import type { Log } from './bus.ts';
import { createNatsBus, type NatsBusOptions } from './nats.ts';

export interface Noted {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  details: object;
}

/** A log that stores its entries for tests. */
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

/** The key of the test home on a NATS server. */
export const homeKey = new Uint8Array(32).fill(7);

export const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

/** A test home's bus over NATS. */
export const createTestBus = (options: Pick<NatsBusOptions, 'url'> & Partial<NatsBusOptions>) =>
  createNatsBus({ prefix: 'home', key: homeKey, clock: systemClock, log: notingLog(), ...options });

/** A test home's bus, and the words that its durable has received. */
export async function startReceiving(options: Pick<NatsBusOptions, 'url' | 'limits'>) {
  const bus = await createTestBus(options);
  const received: string[] = [];
  await bus.consume({
    durable: 'delivery',
    subjects: ['message.>'],
    handle: async (events) => void received.push(...events.map(text)),
  });
  return { bus, received };
}
