import { create } from '@bufbuild/protobuf';
import { type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import { CallerKind } from '@hearth/proto/options';

/** A person, an AI or a group that takes part in something, of this home or of another. */
export type Party = PartyHere | PartyElsewhere;

export type PartyKind = 'person' | 'ai' | 'group';

/** Known by its uuid. */
export interface PartyHere {
  readonly home: null;
  readonly kind: PartyKind;
  /** uuid */
  readonly id: string;
  /** uuid of the responsible person: the person, or the AI's owner; null for a group and for an AI without an owner. */
  readonly person: string | null;
  /** uuid of the group that an AI runs. */
  readonly group: string | null;
}

/** Known by the uuid under which this home met it. */
export interface PartyElsewhere {
  /** The name of its home: "hearth.example". */
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

/** @param about uuids of its owner and of the group that it runs; absent, empty or null without one */
export function aiHere(
  id: string,
  { person, group }: { person?: string | null; group?: string | null },
): PartyHere {
  return { home: null, kind: 'ai', id, person: person || null, group: group || null };
}

/** The person or AI that calls. An app that acts for a person is that person. */
export function partyOf(caller: Pick<Caller, 'kind' | 'id' | 'person' | 'group'>): PartyHere {
  return caller.kind === CallerKind.AI ? aiHere(caller.id, caller) : personHere(caller.id);
}

/** A party of another home as a caller here: its home answers for it, and it holds no permission. */
export function callerElsewhere({ id, address, name, person, aiStatus, home }: Profile): Caller {
  const kind = person ? CallerKind.PERSON : CallerKind.AI;
  return create(CallerSchema, { kind, id, address, name, aiStatus, home, via: Via.HOME });
}

/** uuid of the person who answers for the party on this home; null where there is none. */
export function responsiblePerson(party: Party): string | null {
  return isHere(party) ? party.person : null;
}
