import { forbidden } from '@hearth/errors';
import { actingPerson, type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { Viewer } from '../db/shown-groups.ts';

/** By whom groups are looked at. An AI that nobody owns sees none. */
export function viewing(caller: Caller): Viewer {
  return {
    person: personOf(caller),
    app: caller.kind === callerKinds.APP ? caller.id : null,
    group: caller.kind === callerKinds.AI && caller.group !== '' ? caller.group : null,
  };
}

/**
 * uuid of the person by whose word a group changes.
 *
 * @throws bad_request for an app that does not say for whom it acts; forbidden for an AI that acts for nobody
 */
export function whoseWord(caller: Caller): string {
  if (caller.kind === callerKinds.AI && caller.group !== '')
    throw forbidden('a group AI changes nothing about its group: an organizer does');
  return actingPerson(caller);
}
