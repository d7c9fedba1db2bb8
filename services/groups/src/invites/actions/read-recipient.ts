import { badField, forbidden, type HearthError, notFound } from '@hearth/errors';
import { type PartyKind, readNamed, seesWhole } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';

export type Recipient = { email: string } | InvitedPerson;

export interface InvitedPerson {
  person: PersonFacts;
  /** uuid of the AI that was named in the person's place. */
  ai: string | null;
}

type Deps = Pick<Context, 'homeNames' | 'otherHomes' | 'parties' | 'people' | 'profiles'>;

/**
 * Finds the person or email address that an inviter names.
 *
 * @throws not_found if there is no such person; forbidden (turned_away) for a person under 18 that the caller
 * may not see, as for anyone who takes no invites from them; forbidden (home_denied) for a home that this one
 * does not talk with
 */
export async function readRecipient(context: Deps, given: string, call: Call): Promise<Recipient> {
  const named = readNamed(given.trim(), context.homeNames);
  switch (named?.by) {
    case 'id':
      return await known(context, named.id, call);
    case 'email':
      return { email: named.email };
    case 'address':
      if (named.kind === 'group') throw badField('to', 'must be a person, not a group');
      if (named.home !== null) return await elsewhere(context, named, named.home, call);
      return await at(context, named.address, call);
    default:
      throw badField(
        'to',
        'must be an address such as @ada or @ada@home.example, the id of a person, or an email address',
      );
  }
}

/** Finds a person by the id that the caller was shown. */
async function known({ people }: Deps, reference: string, { caller }: Call): Promise<InvitedPerson> {
  const person = await people.resolve(reference, caller);
  if (person === null) throw notFound();
  return { person, ai: null };
}

/** Finds and records a remote person; their own home notifies them, by their rules. */
async function elsewhere(
  { otherHomes, parties, people }: Deps,
  { address, kind }: { address: string; kind: PartyKind },
  home: string,
  call: Call,
): Promise<InvitedPerson> {
  if (kind !== 'person') throw badField('to', 'is an AI; people join groups, so name the person');
  await otherHomes.requireTalks(home);
  const { profile } = await parties.meetParty({ address }, { call });
  const person = profile === undefined ? null : await people.everywhere.findOne(profile.id);
  if (person === null) throw notFound();
  return { person, ai: null };
}

/** Finds the person at an address. Only people are members, so an AI stands for its owner. */
async function at({ people, profiles }: Deps, address: string, call: Call): Promise<InvitedPerson> {
  const { results } = await profiles.findProfiles({ addresses: [address] }, { call });
  const profile = results[0]?.profile;
  if (profile === undefined) throw notFound();
  // The invite names its recipient, so it must not reveal an AI's private owner.
  const owner = profile.ownerPrivate ? '' : profile.owner;
  const person = await people.findOne(profile.person ? profile.id : owner);
  if (person === null) {
    if (profile.person) throw notFound();
    throw badField('to', 'is an AI that nobody is known to own; people join groups, so name the person');
  }
  if (!seesWhole(person, call.caller)) throw refusedToInvite();
  return { person, ai: profile.person ? null : profile.id };
}

/** The same error for a rule, a block and a person under 18, so that callers cannot tell them apart. */
export function refusedToInvite(): HearthError {
  return forbidden('this address does not take invites from you', { code: 'turned_away' });
}
