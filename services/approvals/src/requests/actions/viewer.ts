import { actingPerson, type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { ItemsViewer } from '../db/items.ts';

/**
 * The caller as a viewer of a requests box. Null for an AI without an owner: it takes everything, and nothing waits.
 *
 * @throws bad_request for an app that does not say for whom it acts
 */
export function viewing(caller: Caller): ItemsViewer | null {
  if (caller.kind === callerKinds.APP) actingPerson(caller);
  const person = personOf(caller);
  return person === null ? null : { person, caller: caller.id };
}

/** uuid of the owner of the caller's blocks: the person, or an AI without one. @throws bad_request for an app alone */
export function blockerOf(caller: Caller): string {
  if (caller.kind === callerKinds.APP) return actingPerson(caller);
  return personOf(caller) ?? caller.id;
}
