import { forbidden, notFound } from '@hearth/errors';
import {
  addressOf,
  isMinor,
  type Party,
  type PartyHere,
  partyOf,
  personHere,
  shortenName,
} from '@hearth/people';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Caller, callerKinds, personOf, programsOf } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** A local person or AI that asks. */
export type AskerHere = Asker & { party: PartyHere };

/** The person or AI that asks. */
export interface Asker {
  party: Party;
  /** The person who asks, or the owner of the AI; null for an AI without an owner. */
  person: PersonFacts | null;
  app: string | null;
  /** The programs through which they ask, as `programsOf` names them. */
  programs: string[];
  address: string;
  name: string;
  verified: boolean;
  minor: boolean;
  /** Whether it is a person, or a claimed or vouched AI. */
  checked: boolean;
}

/** @throws bad_request for an app without the person it acts for; not_found if the person's account is gone */
export async function findAsker({ people }: Pick<Context, 'people'>, caller: Caller): Promise<AskerHere> {
  if (caller.kind !== callerKinds.AI && caller.kind !== callerKinds.PERSON)
    throw forbidden('asks are made by AIs and people');
  const own = personOf(caller);
  const person = own === null ? null : await people.findOne(own);
  if (own !== null && person === null) throw notFound();
  const through = { app: caller.app || null, programs: programsOf(caller) };
  if (caller.kind === callerKinds.PERSON) return { ...personAsker(person as PersonFacts), ...through };
  return {
    party: partyOf(caller),
    ...through,
    person,
    address: caller.address,
    name: caller.name,
    verified: caller.aiStatus === AiStatus.CLAIMED,
    minor: person !== null && isMinor(person),
    checked: caller.aiStatus !== AiStatus.UNCLAIMED,
  };
}

/** A person who asks directly, not through an app. */
export function personAsker(person: PersonFacts): AskerHere {
  const { id, name, guest, app } = person;
  const minor = isMinor(person);
  return {
    party: personHere(id),
    person,
    app: null,
    programs: [],
    address: addressOf(person),
    name: minor ? shortenName(name) : name,
    verified: !guest || app !== '',
    minor,
    checked: true,
  };
}
