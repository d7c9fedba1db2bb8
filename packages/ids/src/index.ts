export { idPrefixes, parseId, printId, type IdPrefix } from './prefixed.ts';
export { createIds, systemRandom, type Ids, type Random } from './ids.ts';
