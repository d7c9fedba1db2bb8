import { parseAddress, readLocalAddress } from '@hearth/addresses';
import { badField, forbidden, type HearthError, notFound } from '@hearth/errors';
import { isMinor, seesWhole, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { parseEmail } from '../domain/email.ts';

type Needed = Pick<Context, 'homeNames' | 'people' | 'peers'>;

/** Somebody who is to be asked. */
export interface Recipient {
  kind: 'person' | 'ai' | 'email';
  /** uuid of the person or AI. */
  id: string | null;
  /** The person, or the AI's owner. */
  person: PersonFacts | null;
  address: string;
  /** Of somebody under 18 shortened. */
  name: string;
  minor: boolean;
}

/**
 * Whom the words of a request mean, each once.
 *
 * @param field the name under which they were given
 * @throws bad_field for what is no address; not_found for nobody; not_built for somebody on another home
 */
export async function readRecipients(
  context: Needed,
  named: readonly string[],
  field: string,
  call: Call,
): Promise<Recipient[]> {
  const found = await Promise.all(
    named.map((text, index) => readRecipient(context, text, `${field}[${index}]`, call)),
  );
  return [...new Map(found.map((one) => [one.id ?? one.address, one])).values()];
}

async function readRecipient(context: Needed, text: string, field: string, call: Call): Promise<Recipient> {
  if (/^(?:per|shp)_/.test(text)) return await readPerson(context, text, call);
  const { homeNames } = context;
  const address = parseAddress(text, homeNames);
  if (address === null || address.home !== undefined) {
    // What may be an address of another home may be an e-mail address too, as long as no sigil or AI says otherwise.
    const email = /^[@&]/.test(text) || address?.kind === 'ai' ? null : parseEmail(text);
    if (email !== null) {
      return { kind: 'email', id: null, person: null, address: email, name: email, minor: false };
    }
    if (address === null)
      throw badField(field, 'must be like @handle, @handle.ai-name, a per_ or shp_ id, or an e-mail address');
  }
  const local = readLocalAddress(text, field, homeNames);
  switch (address.kind) {
    case 'person':
    case 'ai':
      return await readAddress(context, local, call);
    case 'group':
      throw badField(field, 'is a group; ask its members, or its AI');
  }
}

/** By the id under which the caller was shown them. */
async function readPerson({ people }: Needed, reference: string, { caller }: Call): Promise<Recipient> {
  const person = await people.resolve(reference, caller);
  if (person === null) throw notFound();
  return personRecipient(person);
}

/**
 * A person or an AI of this home. Somebody under 18, and their AI, is reached by their address by those alone who may know
 * it; to all others they are as somebody who takes nothing from them.
 */
async function readAddress({ people, peers }: Needed, address: string, call: Call): Promise<Recipient> {
  const { results } = await peers.identity.findProfiles({ addresses: [address] }, { call });
  const profile = results[0]?.profile;
  if (profile === undefined) throw notFound();
  const own = profile.person ? profile.id : profile.owner;
  const person = own === '' ? null : await people.findOne(own);
  if (own !== '' && person === null) throw notFound();
  if (person !== null && !seesWhole(person, call.caller)) throw refusedToAsk();
  if (profile.person) return personRecipient(person as PersonFacts);
  const { id, name } = profile;
  return { kind: 'ai', id, person, address: profile.address, name, minor: false };
}

export function personRecipient(person: PersonFacts): Recipient {
  const minor = isMinor(person);
  return {
    kind: 'person',
    id: person.id,
    person,
    address: `@${person.handle}`,
    name: minor ? shortenName(person.name) : person.name,
    minor,
  };
}

/** In the same words for a rule, a block and somebody under 18, so that nobody can tell them apart. */
export function refusedToAsk(): HearthError {
  return forbidden('they do not take this from you, so nothing was sent', { code: 'turned_away' });
}
