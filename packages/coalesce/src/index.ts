export { type Coalescer, type CoalescerOptions, createCoalescer } from './coalescer.ts';
export { eachOf } from './each-of.ts';
export { type KeyedMutex, keyedMutex } from './keyed-mutex.ts';
export { type SingleFlight, singleFlight } from './single-flight.ts';
