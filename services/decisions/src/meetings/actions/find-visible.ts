import { localId } from '@hearth/addresses';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { anonymous, type Caller, personOf } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import { findSeen, type MeetingRow } from '../db/meetings.ts';
import { findOffer, type OfferRow, type StoredOffer } from '../db/offers.ts';
import { notBlocked } from './blocks.ts';

/**
 * An offer that the caller may see, with all done that is due about it: their own, one that was made to them, to a group
 * of theirs, or to anyone; by one who does not block them.
 *
 * @param reference ofr_ id
 * @throws not_found for every other
 */
export async function findVisibleOffer(
  context: Context,
  reference: string,
  caller: Caller,
): Promise<StoredOffer> {
  const id = parseId('ofr', localId(reference, context.homeNames));
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

/** Whether an offer to a group, or to anyone, is there for the caller: people under 18 are in none. */
async function mayEnter({ peers }: Context, { audience, group }: OfferRow, caller: Caller): Promise<boolean> {
  if (caller.minor || audience === 'addresses') return false;
  if (group === null) return true;
  if (caller.group === group) return true;
  const person = personOf(caller);
  if (person === null) return false;
  const membership = await peers.groups.findMembership({ group, person }, { caller: anonymous });
  return membership.group !== undefined;
}

/** A meeting of which the caller is a side. @throws not_found for every other */
export async function findOwnMeeting(
  context: Context,
  reference: string,
  caller: Caller,
): Promise<MeetingRow> {
  const id = parseId('mtg', localId(reference, context.homeNames));
  const found = id === null ? null : await findSeen(context.database.db, id, viewerIdOf(caller));
  if (found === null) throw notFound();
  return found;
}
