/** A person, an AI or a group that takes part in something, of this home or of another. */
export type Party = PartyHere | PartyElsewhere;

export type PartyKind = 'person' | 'ai' | 'group';

export interface PartyHere {
  readonly home: 'here';
  readonly kind: PartyKind;
  /** uuid */
  readonly id: string;
}

export interface PartyElsewhere {
  readonly home: 'elsewhere';
  readonly kind: PartyKind;
  /** The full address: "ada@hearth.example". */
  readonly address: string;
  /** The name of its home: "hearth.example". */
  readonly at: string;
}

export function isHere(party: Party): party is PartyHere {
  return party.home === 'here';
}

/** One text for each party, for keys of maps and for columns: the uuid, or the full address. */
export function partyKey(party: Party): string {
  return isHere(party) ? party.id : party.address;
}
