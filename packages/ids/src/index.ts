export { createIds, type Ids, type Random, systemRandom } from './ids.ts';
export { type IdPrefix, idPrefixes, parseId, printId } from './prefixed.ts';
