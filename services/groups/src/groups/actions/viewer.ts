import { forbidden } from '@hearth/errors';
import { actingPerson, type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { Viewer } from '../db/shown-groups.ts';

/** The viewer of groups. An AI without an owner sees none. */
export function viewerOf(caller: Caller): Viewer {
  return {
    person: personOf(caller),
    app: caller.kind === callerKinds.APP ? caller.id : null,
    group: caller.kind === callerKinds.AI && caller.group !== '' ? caller.group : null,
  };
}

/**
 * uuid of the person who answers for a change of a group.
 *
 * @throws bad_request for an app that does not name the person for whom it acts; forbidden for an AI that acts for no one
 */
export function responsiblePerson(caller: Caller): string {
  if (caller.kind === callerKinds.AI && caller.group !== '')
    throw forbidden('a group AI changes nothing about its group: an organizer does');
  return actingPerson(caller);
}
