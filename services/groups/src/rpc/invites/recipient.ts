import { parseAddress } from '@hearth/addresses';
import { badField, HearthError, notFound } from '@hearth/errors';
import { seesWhole } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Call } from '@hearth/rpc';
import type { InvitesContext } from '../../invites-context.ts';

/** Whom an invite is sent to. */
export type Recipient = { person: PersonFacts } | { email: string };

type Needed = Pick<InvitesContext, 'homeNames' | 'people' | 'profiles'>;

/**
 * Reads an address of this home, the id of a person, or an e-mail address. `ada@example.com` is an e-mail address unless
 * example.com is this home; `@ada@example.com` is somebody of another home.
 *
 * @throws not_found for nobody, and for somebody under 18 whom the caller may not see; not_built for another home
 */
export async function readRecipient(context: Needed, given: string, call: Call): Promise<Recipient> {
  const text = given.trim();
  const address = parseAddress(text, context.homeNames);
  if (address === null) {
    if (/^[^@]+@[^@]+$/.test(text)) return { email: text };
    if (/^(per|shp)_/.test(text)) return { person: await somebody(context, text, call) };
    throw badField('to', 'must be an address such as @ada, the id of a person, or an e-mail address');
  }
  if (address.home !== undefined) {
    if (address.kind === 'person' && !text.startsWith('@')) return { email: text };
    throw new HearthError('not_built', 'this home does not invite people of other homes yet', {
      code: 'not_built',
    });
  }
  if (address.kind === 'group') throw badField('to', 'must be a person, not a group');
  if (address.kind === 'person') return { person: await somebody(context, `@${address.handle}`, call) };
  return { person: await ownerOf(context, text, call) };
}

async function somebody({ people }: Needed, reference: string, { caller }: Call): Promise<PersonFacts> {
  const facts = await people.resolve(reference, caller);
  if (facts === null) throw notFound();
  return facts;
}

/** Groups have people in them: an AI stands for its owner. */
async function ownerOf({ people, profiles }: Needed, address: string, call: Call): Promise<PersonFacts> {
  const { results } = await profiles.findProfiles({ addresses: [address.toLowerCase()] }, { call });
  const profile = results[0]?.profile;
  if (profile === undefined) throw notFound();
  // An invite shows for whom it is, which nobody is told whose AI has a private owner.
  const facts = profile.owner === '' || profile.ownerPrivate ? null : await people.findOne(profile.owner);
  if (facts === null)
    throw badField('to', 'is an AI that nobody is known to own; people join groups, so name the person');
  if (!seesWhole(facts, call.caller)) throw notFound();
  return facts;
}
