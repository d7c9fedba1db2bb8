export { createNatsBus, type NatsBusOptions } from './nats-bus.ts';
export { homePrefix, type StreamLimits } from './streams.ts';
