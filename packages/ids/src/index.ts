export { createIds, type Ids, type Random, systemRandom } from './ids.ts';
export { type IdPrefix, idPrefixes, isUuid, parseId, printId } from './prefixed.ts';
