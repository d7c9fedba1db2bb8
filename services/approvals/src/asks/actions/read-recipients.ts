import { readLocalAddress } from '@hearth/addresses';
import { badField, forbidden, notFound } from '@hearth/errors';
import { isMinor, readNamed, seesWhole, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';

type Deps = Pick<Context, 'homeNames' | 'people' | 'peers'>;

/** A person, AI or email address to ask. */
export interface Recipient {
  kind: 'person' | 'ai' | 'email';
  /** uuid of the person or AI. */
  id: string | null;
  /** The person, or the AI's owner. */
  person: PersonFacts | null;
  address: string;
  /** Shortened for a child. */
  name: string;
  /** True for a child or a child's AI. */
  minor: boolean;
  /** The local address as the asker wrote it; null if they gave an id or an email address. */
  written: string | null;
  /** True for a child, or a child's AI, at an address that the asker may not know. */
  unseen: boolean;
  /** The home of a remote recipient; null for a local one. `id` is then the uuid of the met party. */
  home: string | null;
}

/**
 * The recipients that a request names, without duplicates.
 *
 * @param field the request field, for errors
 * @throws bad_field for an invalid address; not_found for an unknown address; forbidden for a home that
 * this home does not talk with
 */
export async function readRecipients(
  context: Deps,
  named: readonly string[],
  field: string,
  call: Call,
): Promise<Recipient[]> {
  const found = await Promise.all(
    named.map((text, index) => readRecipient(context, text, `${field}[${index}]`, call)),
  );
  return [...new Map(found.map((recipient) => [keyOf(recipient), recipient])).values()];
}

/** A child that the asker may not know by address differs from the same child known by id. */
function keyOf({ id, address, unseen }: Recipient): string {
  return `${unseen} ${id ?? address}`;
}

async function readRecipient(context: Deps, text: string, field: string, call: Call): Promise<Recipient> {
  const named = readNamed(text, context.homeNames);
  switch (named?.by) {
    case 'id':
      return await readPerson(context, named.id, call);
    case 'email':
      return { ...unknown, kind: 'email', address: named.email, name: named.email };
    case 'address': {
      if (named.kind === 'group') throw badField(field, 'is a group; ask its members, or its AI');
      if (named.home !== null) return await meetElsewhere(context, named.address, named.home, call);
      return await readAddress(context, readLocalAddress(text, field, context.homeNames), call);
    }
    default:
      throw badField(
        field,
        'must be like @handle, @handle.ai-name, &handle.ai-group, @handle@home, a per_ or shp_ id, or an email address',
      );
  }
}

/** A remote person or AI, known to this home from now on. */
async function meetElsewhere({ peers }: Deps, address: string, home: string, call: Call): Promise<Recipient> {
  if (call.caller.minor)
    throw forbidden('a person under 18 asks people of this home alone', { code: 'minors_not_allowed' });
  await peers.homes.requireTalks(home);
  const { profile } = await peers.parties.meetParty({ address }, { call });
  if (profile === undefined) throw notFound();
  const { id, name, person } = profile;
  return { ...unknown, kind: person ? 'person' : 'ai', id, address, name, home };
}

/** Finds a person by the id that the caller was shown. */
async function readPerson({ people }: Deps, reference: string, { caller }: Call): Promise<Recipient> {
  const person = await people.resolve(reference, caller);
  if (person === null) throw notFound();
  return personRecipient(person);
}

/**
 * A local person or AI. A child's address, or their AI's, works only for callers who may know it; for others
 * `placeRecipients` turns the ask away, as for a recipient who accepts nothing from them.
 */
async function readAddress({ people, peers }: Deps, written: string, call: Call): Promise<Recipient> {
  const { results } = await peers.identity.findProfiles({ addresses: [written] }, { call });
  const profile = results[0]?.profile;
  if (profile === undefined) throw notFound();
  const own = profile.person ? profile.id : profile.owner;
  const person = own === '' ? null : await people.findOne(own);
  if (own !== '' && person === null) throw notFound();
  const unseen = person !== null && !seesWhole(person, call.caller);
  if (profile.person) return { ...personRecipient(person as PersonFacts), written, unseen };
  const { id, name, address } = profile;
  return {
    kind: 'ai',
    id,
    person,
    address,
    name,
    minor: person !== null && isMinor(person),
    written,
    unseen,
    home: null,
  };
}

const unknown = { id: null, person: null, minor: false, written: null, unseen: false, home: null };

export function personRecipient(person: PersonFacts): Recipient {
  const minor = isMinor(person);
  return {
    kind: 'person',
    id: person.id,
    person,
    address: `@${person.handle}`,
    name: minor ? shortenName(person.name) : person.name,
    minor,
    written: null,
    unseen: false,
    home: null,
  };
}
