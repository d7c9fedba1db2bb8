export type {
  Batch,
  Bus,
  Confirmed,
  ConsumeOptions,
  Health,
  Log,
  Published,
  Reconnection,
  Refusal,
  Subscription,
} from './bus.ts';
export { createLocalBus } from './local-bus.ts';
export type { Retries } from './worker.ts';
