export { type Coalescer, createCoalescer } from './coalescer.ts';
export { eachOf } from './each-of.ts';
export { type KeyedMutex, keyedMutex } from './keyed-mutex.ts';
export { singleFlight } from './single-flight.ts';
