import { otherHomeIn } from '@hearth/addresses';
import { notFound } from '@hearth/errors';
import { anonymous, type Caller, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** A group of another home that the caller's person is in. */
export interface GroupElsewhere {
  /** r:<home>:<id> */
  reference: string;
  home: string;
  name: string;
  archived: boolean;
  /** uuid of the person. */
  person: string;
}

/**
 * The group of another home that a caller means by its reference or full address; null for one of this home.
 *
 * @throws not_found for one that they are not in
 */
export async function findElsewhere(
  { groups, homeNames }: Pick<Context, 'groups' | 'homeNames'>,
  text: string,
  caller: Caller,
): Promise<GroupElsewhere | null> {
  const home = otherHomeIn(text, homeNames);
  if (home === null) return null;
  const person = personOf(caller);
  const request = { group: text, person: person ?? '', elsewhere: true };
  const { group } = await groups.findMembership(request, { caller: anonymous });
  if (group === undefined || person === null) throw notFound();
  return { reference: group.id, home, name: group.name, archived: group.archived, person };
}
