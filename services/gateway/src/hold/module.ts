export { createElsewhere } from './elsewhere.ts';
export {
  type Asked,
  createHolds,
  type HeldClient,
  type Hold,
  type Holds,
  type HoldsOptions,
} from './holds.ts';
export type { Series } from './rests.ts';
