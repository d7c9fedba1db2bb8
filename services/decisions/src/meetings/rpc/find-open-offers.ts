import { isUuid } from '@hearth/ids';
import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { notBlocked } from '../actions/blocks.ts';
import { showOffer } from '../actions/show.ts';
import type { Context } from '../context.ts';
import { findOpenToAnyone } from '../db/offers.ts';

/** An AI's open offers to anyone, for its card. */
export const findOpenOffers =
  (context: Context): UnaryHandler<typeof MeetingsService.method.findOpenOffers> =>
  async ({ ai }, { caller }) => {
    const { clock, database } = context;
    const rows = isUuid(ai) ? await findOpenToAnyone(database.db, ai, new Date(clock.now())) : [];
    const seen = await notBlocked(context, rows, caller);
    return { offers: seen.map((row) => showOffer(context, row, '')) };
  };
