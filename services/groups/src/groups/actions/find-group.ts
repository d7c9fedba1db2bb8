import { parseAddress } from '@hearth/addresses';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findShown, type GroupRef, type ShownGroup } from '../db/shown-groups.ts';
import { refuseElsewhere } from './find-elsewhere.ts';
import { viewerOf } from './viewer.ts';

/** Parses an id or local &address of a group; null for any other text. */
export function readGroup(text: string, homeNames: Context['homeNames']): GroupRef | null {
  const id = parseId('grp', text);
  if (id !== null) return { id, handle: null };
  const address = parseAddress(text, homeNames);
  const here = address !== null && address.kind === 'group' && address.home === undefined;
  return here ? { id: null, handle: address.handle } : null;
}

/**
 * Finds the group that the caller names, if they may see it: members, the group's own AI, and the app that
 * made it when it acts for no person.
 *
 * @throws not_found; bad_field for a remote group
 */
export async function findGroup(
  context: Pick<Context, 'copies' | 'database' | 'homeNames' | 'people'>,
  text: string,
  caller: Caller,
): Promise<ShownGroup> {
  const { database, homeNames } = context;
  const ref = readGroup(text, homeNames);
  if (ref === null) await refuseElsewhere(context, text, caller);
  const group = ref === null ? null : await findShown(database.db, ref, viewerOf(caller));
  if (group === null) throw notFound();
  return group;
}
