export { derivedId } from './derived-id.ts';
export { createIds, fractionOf, type Ids, type Random, systemRandom } from './ids.ts';
export { type IdPrefix, isUuid, parseId, printId } from './prefixed.ts';
