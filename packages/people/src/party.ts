import { create } from '@bufbuild/protobuf';
import { type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import { CallerKind } from '@hearth/proto/options';

/** A participating person, AI or group, local or remote. */
export type Party = PartyHere | PartyElsewhere;

export type PartyKind = 'person' | 'ai' | 'group';

/** A local party, identified by its uuid. */
export interface PartyHere {
  readonly home: null;
  readonly kind: PartyKind;
  /** uuid */
  readonly id: string;
  /** uuid of the responsible person: the person, or the AI's owner; null for groups and AIs without an owner. */
  readonly person: string | null;
  /** uuid of the group that an AI runs. */
  readonly group: string | null;
}

/** A remote party, identified by the uuid under which this home met it. */
export interface PartyElsewhere {
  /** Its home's name: "hearth.example". */
  readonly home: string;
  readonly kind: PartyKind;
  /** uuid */
  readonly id: string;
  /** The full address: "ada@hearth.example". */
  readonly address: string;
}

export function isHere(party: Party): party is PartyHere {
  return party.home === null;
}

export function personHere(id: string): PartyHere {
  return { home: null, kind: 'person', id, person: id, group: null };
}

/** @param about uuids of its owner and of the group that it runs; absent, empty or null if there is none */
export function aiHere(
  id: string,
  { person, group }: { person?: string | null; group?: string | null },
): PartyHere {
  return { home: null, kind: 'ai', id, person: person || null, group: group || null };
}

/** The calling person or AI. An app acting for a person counts as that person. */
export function partyOf(caller: Pick<Caller, 'kind' | 'id' | 'person' | 'group'>): PartyHere {
  return caller.kind === CallerKind.AI ? aiHere(caller.id, caller) : personHere(caller.id);
}

/** A remote party as a caller here: its home vouches for it, and it has no permissions. */
export function callerElsewhere({ id, address, name, person, aiStatus, home }: Profile): Caller {
  const kind = person ? CallerKind.PERSON : CallerKind.AI;
  return create(CallerSchema, { kind, id, address, name, aiStatus, home, via: Via.HOME });
}

/** uuid of the person responsible for the party at this home; null if there is none. */
export function responsiblePerson(party: Party): string | null {
  return isHere(party) ? party.person : null;
}
