import { otherHomeIn } from '@hearth/addresses';
import { notFound } from '@hearth/errors';
import { anonymous, type Caller, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** A remote group of the caller's person. */
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
 * The remote group that the caller names by reference or full address; null if it is a local one.
 *
 * @throws not_found if the caller is not a member
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
