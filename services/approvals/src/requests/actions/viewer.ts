import { type Caller, personOf } from '@hearth/rpc';
import type { ItemsViewer } from '../db/items.ts';

/**
 * The caller as a viewer of a requests box. Null for an AI without an owner: it accepts everything, so
 * nothing waits.
 */
export function viewing(caller: Caller): ItemsViewer | null {
  const person = personOf(caller);
  return person === null ? null : { person, caller: caller.id };
}

/** uuid of the owner of the caller's blocks: the person, or an AI without one. */
export function blockerOf(caller: Caller): string {
  return personOf(caller) ?? caller.id;
}
