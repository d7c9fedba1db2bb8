import { readLocalAddress } from '@hearth/addresses';
import { badField, forbidden, notFound } from '@hearth/errors';
import { isMinor, readNamed, seesWhole, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';

type Deps = Pick<Context, 'homeNames' | 'people' | 'peers'>;

/** A person, AI or e-mail address that is to be asked. */
export interface Recipient {
  kind: 'person' | 'ai' | 'email';
  /** uuid of the person or AI. */
  id: string | null;
  /** The person, or the AI's owner. */
  person: PersonFacts | null;
  address: string;
  /** Shortened for a child. */
  name: string;
  /** A child, or an AI of a child. */
  minor: boolean;
  /** The address by which the asker named a recipient of this home; null for an id and for an e-mail address. */
  written: string | null;
  /** A child, or an AI of theirs, named by an address that the asker may not know. */
  unseen: boolean;
  /** The home of one elsewhere, who is known by the uuid under which this home met them. */
  home: string | null;
}

/**
 * The recipients that a request names, each once.
 *
 * @param field the name under which they were given
 * @throws bad_field for what is no address; not_found for an address without an owner; forbidden for one of a home that this
 *   home does not talk with
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

/** A child whom the asker may not know by an address is not the same recipient as one whom they know. */
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
        'must be like @handle, @handle.ai-name, &handle.ai-group, @handle@home, a per_ or shp_ id, or an e-mail address',
      );
  }
}

/** A person or an AI of another home, whom this home knows from then on. */
async function meetElsewhere({ peers }: Deps, address: string, home: string, call: Call): Promise<Recipient> {
  if (call.caller.minor)
    throw forbidden('a person under 18 asks people of this home alone', { code: 'minors_not_allowed' });
  await peers.homes.requireTalks(home);
  const { profile } = await peers.parties.meetParty({ address }, { call });
  if (profile === undefined) throw notFound();
  const { id, name, person } = profile;
  return { ...unknown, kind: person ? 'person' : 'ai', id, address, name, home };
}

/** By the id under which the caller was shown them. */
async function readPerson({ people }: Deps, reference: string, { caller }: Call): Promise<Recipient> {
  const person = await people.resolve(reference, caller);
  if (person === null) throw notFound();
  return personRecipient(person);
}

/**
 * A person or an AI of this home. The address of a child, or of their AI, works for callers alone who may know it; for all
 * others `placeRecipients` turns the ask away, as for a recipient who takes nothing from them.
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
