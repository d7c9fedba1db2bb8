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
export { createLocalBus, type LocalBusOptions } from './local-bus.ts';
export { createNatsBus, type NatsBusOptions } from './nats-bus.ts';
export { homePrefix, type StreamLimits } from './streams.ts';
export { defaultRetries, type Retries } from './worker.ts';
