export { createElsewhere } from './elsewhere.ts';
export { type Asked, createHolds, type Hold, type Holds, type HoldsOptions } from './holds.ts';
