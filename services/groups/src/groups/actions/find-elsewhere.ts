import { badField, notFound } from '@hearth/errors';
import type { SeenCopy } from '@hearth/home-acts';
import { addressOf } from '@hearth/people';
import type { GroupSchema, Member } from '@hearth/proto/groups/v1/groups';
import { type Caller, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** A remote group and the local member who looks at it. */
export interface Elsewhere {
  copy: SeenCopy<typeof GroupSchema>;
  /** uuid */
  person: string;
  /** The person's address. */
  address: string;
}

/**
 * Finds the remote group that a caller means by its reference or full address; null for a local group.
 *
 * @throws not_found if the caller is not a member
 */
export async function findElsewhere(
  { copies, people }: Pick<Context, 'copies' | 'people'>,
  text: string,
  caller: Caller,
): Promise<Elsewhere | null> {
  const person = personOf(caller);
  const copy = await copies.find(text, person === null ? [] : [person]);
  if (copy === null) return null;
  const facts = person === null ? null : await people.findOne(person);
  if (copy === undefined || facts === null) throw notFound();
  return { copy, person: facts.id, address: addressOf(facts) };
}

/** The members of a remote group. Local people count only if they agreed to join, whatever its home says. */
export async function membersElsewhere(
  { copies, people }: Pick<Context, 'copies' | 'people'>,
  { copy: { message, reference } }: Elsewhere,
): Promise<Member[]> {
  const ours = await people.find(await copies.viewers(reference));
  const addresses = new Set([...ours.values()].map(addressOf));
  return message.members.filter(
    ({ person }) => person?.address.startsWith('@') !== true || addresses.has(person.address),
  );
}

/**
 * @throws bad_field for a remote group that the caller is in (its organizers do this at its own home);
 * not_found for any other remote group
 */
export async function refuseElsewhere(
  context: Pick<Context, 'copies' | 'people'>,
  text: string,
  caller: Caller,
): Promise<void> {
  const elsewhere = await findElsewhere(context, text, caller);
  if (elsewhere !== null)
    throw badField('id', `is of ${elsewhere.copy.home}: that is done there, by its organizers`);
}
