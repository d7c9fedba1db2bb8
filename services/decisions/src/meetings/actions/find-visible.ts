import { readId } from '@hearth/addresses';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { anonymous, type Caller, personOf } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import { findSeen, type MeetingRow } from '../db/meetings.ts';
import { findElsewhere, findOffer, type OfferRow, type StoredOffer } from '../db/offers.ts';
import { notBlocked } from './blocks.ts';

/**
 * An offer that the caller may see, with overdue changes applied: their own, or one made to them, to their
 * group or to anyone, unless its host blocks them.
 *
 * @param reference ofr_ id, or r:<home>:<id>
 * @throws not_found unless the caller may see it
 */
export async function findVisibleOffer(
  context: Context,
  reference: string,
  caller: Caller,
): Promise<StoredOffer> {
  const read = readId(reference, context.homeNames);
  const id =
    'id' in read ? parseId('ofr', read.id) : await findElsewhere(context.database.db, read.reference);
  const found = id === null ? null : await context.batches.offer({ id, viewer: viewerIdOf(caller) });
  if (found === null || !(found.seated || (await mayEnter(context, found, caller)))) throw notFound();
  if ((await notBlocked(context, [found], caller)).length === 0) throw notFound();
  const { seated: _, ...row } = found;
  if (row.due_at === null || row.due_at.getTime() > context.clock.now()) return row;
  await advanceNow(context, row.id);
  return (await findOffer(context.database.db, row.id)) ?? row;
}

export async function advanceNow({ offers }: Pick<Context, 'offers'>, id: string): Promise<void> {
  await offers.act(id, () => ({ kind: 'pass' }));
}

/** Whether the caller may see an offer to a group or to anyone; never minors or remote callers. */
async function mayEnter({ peers }: Context, { audience, group }: OfferRow, caller: Caller): Promise<boolean> {
  if (caller.minor || caller.home !== '' || audience === 'addresses') return false;
  if (group === null) return true;
  if (caller.group === group) return true;
  const person = personOf(caller);
  if (person === null) return false;
  const membership = await peers.groups.findMembership({ group, person }, { caller: anonymous });
  return membership.group !== undefined;
}

/** A meeting that the caller is a side of. @throws not_found unless they are */
export async function findOwnMeeting(
  context: Context,
  reference: string,
  caller: Caller,
): Promise<MeetingRow> {
  const read = readId(reference, context.homeNames);
  const id = 'id' in read ? parseId('mtg', read.id) : null;
  const by = 'reference' in read ? read : id === null ? null : { id };
  const found = by === null ? null : await findSeen(context.database.db, by, viewerIdOf(caller));
  if (found === null) throw notFound();
  return found;
}
