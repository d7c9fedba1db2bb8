import { actingPerson, type Caller, callerKinds, personOf } from '@hearth/rpc';

/** By whom requests are looked at. */
export interface Viewer {
  /** uuid of the person whose requests they are. */
  person: string;
  /** uuids of those at whom things wait that are addressed to others: the AI at the front door, or the guardian. */
  holders: string[];
  /** uuids in whose lists asks stand. */
  owners: string[];
  /** The person looks themselves, so that what waits for whom they guard is there too. */
  themselves: boolean;
}

/**
 * Null for an AI that nobody owns: it takes everything, and nothing waits.
 *
 * @throws bad_request for an app that does not say for whom it acts
 */
export function viewing(caller: Caller): Viewer | null {
  if (caller.kind === callerKinds.APP) actingPerson(caller);
  const person = personOf(caller);
  if (person === null) return null;
  const themselves = caller.kind === callerKinds.PERSON;
  return { person, holders: [caller.id], owners: [...new Set([person, caller.id])], themselves };
}

/** uuid of whose blocks they are: of the person, or of an AI that nobody owns. @throws bad_request for an app alone */
export function blockerOf(caller: Caller): string {
  if (caller.kind === callerKinds.APP) return actingPerson(caller);
  return personOf(caller) ?? caller.id;
}
