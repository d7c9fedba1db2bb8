import { placeCursor, readPage } from '@hearth/paging';
import type { ListOffersRequest, MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import { anonymous, type Call, personOf, type UnaryHandler } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { notBlocked } from '../actions/blocks.ts';
import { showOffer } from '../actions/show.ts';
import type { Context } from '../context.ts';
import { listOffers as find, type ListedOffers } from '../db/offers.ts';
import { offerStatuses } from '../domain/enum-names.ts';

/** A uuid that no party has. */
const none = '00000000-0000-0000-0000-000000000000';

/** Lists offers made by or to the caller, or by or to an address. */
export const listOffers =
  (context: Context): UnaryHandler<typeof MeetingsService.method.listOffers> =>
  async (request, call) => {
    const { database } = context;
    const listed = await readListed(context, request, call);
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      find: (after, limit) => find(database.db, listed, after, limit),
      placeOf: ({ created_at, id }) => ({ at: created_at, id }),
    });
    const seen = await notBlocked(context, rows, call.caller);
    return { offers: seen.map((row) => showOffer(context, row, listed.viewer)), nextCursor };
  };

async function readListed(
  { peers }: Context,
  { by, to, status }: ListOffersRequest,
  call: Call,
): Promise<ListedOffers> {
  const { caller } = call;
  const person = caller.minor ? null : personOf(caller);
  const mine = to === undefined;
  const toMe = by !== 'me';
  const [groups, profile] = await Promise.all([
    toMe && person !== null ? peers.groups.listGroupIds({ person }, { caller: anonymous }) : { groups: [] },
    by === undefined || by === 'me'
      ? undefined
      : peers.identity.findProfiles({ addresses: [by] }, { call }).then(({ results }) => results[0]?.profile),
  ]);
  const ofAddress = by !== undefined && by !== 'me';
  return {
    viewer: viewerIdOf(caller),
    groups: groups.groups.map(({ id }) => id),
    by: ofAddress ? (profile?.id ?? none) : null,
    ...{ mine, toMe },
    anyone: ofAddress && mine && !caller.minor,
    status: (offerStatuses.nameOf(status ?? 0) || null) as ListedOffers['status'],
  };
}
