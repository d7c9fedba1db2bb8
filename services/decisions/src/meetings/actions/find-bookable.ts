import { badField } from '@hearth/errors';
import { isSuspended } from '@hearth/people';
import { anonymous, type Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { OfferRow, StoredOffer } from '../db/offers.ts';
import { notWaiting, requireFree, type Slot, slotAt } from '../domain/offer.ts';
import { addressed, type Party, viewerOf } from '../domain/party.ts';
import { readMoment } from '../domain/read-slots.ts';
import { findCaller } from './find-party.ts';
import { findVisibleOffer } from './find-visible.ts';

export interface Bookable {
  offer: StoredOffer;
  /** The party that the caller books as: the addressee of the offer, if there is one. */
  guest: Party;
  /** The caller. */
  by: Party;
  slot: Slot;
}

/**
 * The time that the caller asks for, checked before the offer is locked: most callers who are too late learn
 * so without waiting for the lock.
 *
 * @throws not_found, forbidden (minors_not_allowed), bad_field for an own offer, bad_request (slot_taken,
 * not_waiting)
 */
export async function findBookable(
  context: Context,
  wanted: { offer: string; slot: string },
  caller: Caller,
): Promise<Bookable> {
  const offer = await findVisibleOffer(context, wanted.offer, caller);
  const self = await findCaller(context, caller);
  const viewer = viewerOf(self);
  if (offer.host_viewer === viewer) throw badField('offer', 'is your own');
  const guest = addressed(offer, self);
  const starts = readMoment(wanted.slot, offer.time_zone, 'slot');
  // Only the remote home knows what is free now.
  if (offer.elsewhere !== null) return { offer, guest, by: self, slot: slotAt(offer, starts) };
  await requireActing(context, offer);
  return { offer, guest, by: self, slot: requireFree(offer, starts, viewer, context.clock.now()) };
}

/** @throws bad_request (not_waiting) if the person or AI that offers is suspended; a suspended AI has no permissions */
async function requireActing({ clock, peers, people }: Context, { host }: OfferRow): Promise<void> {
  if (host.kind === 'person') {
    const facts = await people.findOne(host.id);
    if (facts !== null && isSuspended(facts, clock.now()))
      throw notWaiting('the person who offers it is suspended');
    return;
  }
  const { results } = await peers.ais.findAis({ ids: [host.id] }, { caller: anonymous });
  if ((results[0]?.facts?.permissions ?? []).length === 0)
    throw notWaiting('the AI that offers it is suspended');
}
