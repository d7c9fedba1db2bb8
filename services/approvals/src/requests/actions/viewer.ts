import { actingPerson, type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { AsksViewer } from '../../asks/module.ts';

/** The caller as a viewer of a requests box. */
export interface Viewer extends AsksViewer {
  /** uuids of the holders of items that are addressed to others: the AI at the front door, or the guardian. */
  holders: string[];
}

/**
 * Null for an AI without an owner: it takes everything, and nothing waits.
 *
 * @throws bad_request for an app that does not say for whom it acts
 */
export function viewing(caller: Caller): Viewer | null {
  if (caller.kind === callerKinds.APP) actingPerson(caller);
  const person = personOf(caller);
  if (person === null) return null;
  const owners = [...new Set([person, caller.id])];
  return { person, holders: [caller.id], owners, minors: caller.kind === callerKinds.PERSON };
}

/** uuid of the owner of the caller's blocks: the person, or an AI without one. @throws bad_request for an app alone */
export function blockerOf(caller: Caller): string {
  if (caller.kind === callerKinds.APP) return actingPerson(caller);
  return personOf(caller) ?? caller.id;
}
