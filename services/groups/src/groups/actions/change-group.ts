import type { Tx } from '@hearth/db';
import { badRequest, forbidden, notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import type { Context } from '../context.ts';
import { type GroupRow, lockGroup } from '../db/groups.ts';
import { findMember } from '../db/members.ts';
import { isArchived } from '../domain/ended.ts';

/** What a change gives back: its answer, and the events that it announced. */
export interface Changed<Result> {
  result: Result;
  events: readonly OutboxRow[];
}

/**
 * Changes a group or its members, with the group's row locked: changes of one group come one after the other. What the
 * change announces is written with it and sent on after the commit.
 *
 * @throws not_found for a group that there is not
 */
export async function changeGroup<Result>(
  { database, outbox }: Pick<Context, 'database' | 'outbox'>,
  id: string,
  change: (tx: Tx, group: GroupRow) => Promise<Changed<Result>>,
): Promise<Result> {
  const { result, events } = await database.transaction(async (tx) => {
    const group = await lockGroup(tx, id);
    if (group === null) throw notFound();
    const changed = await change(tx, group);
    if (changed.events.length > 0) await outbox.announce(tx, changed.events);
    return changed;
  });
  if (events.length > 0) outbox.committed(events);
  return result;
}

/** @throws not_found for who is no member, forbidden for who is no organizer */
export async function requireOrganizer(tx: Tx, group: GroupRow, person: string): Promise<void> {
  const member = await findMember(tx, group.id, person);
  if (member === null) throw notFound();
  if (member.role !== 'organizer') throw forbidden('only an organizer of the group can do this');
}

/** @throws bad_request (archived) */
export function requireActive(group: GroupRow, now: number): void {
  if (isArchived(group, now)) throw badRequest('this group is archived', { code: 'archived' });
}
