import { forbidden } from '@hearth/errors';
import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { asOwner } from '../../shared/actions/as-owner.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { findVisibleOffer } from '../actions/find-visible.ts';
import { requireSide } from '../actions/require-side.ts';
import { showOffer } from '../actions/show.ts';
import type { Context } from '../context.ts';
import { offerChanged } from '../domain/events.ts';

/** Withdraws an offer. Idempotent. */
export const withdrawOffer =
  (context: Context): UnaryHandler<typeof MeetingsService.method.withdrawOffer> =>
  async ({ id }, call) =>
    await asOwner(context, call.caller, async (caller) => {
      const { offers } = context;
      const viewer = viewerIdOf(caller);
      const found = await findVisibleOffer(context, id, caller);
      if (found.host_viewer !== viewer) throw forbidden('only who made the offer takes it back');
      const state = await offers.locked(found.id, async (tx, before) => {
        requireSide(caller, [before.host]);
        const { state } = await offers.take(tx, before, { kind: 'withdraw' });
        if (state !== before) tx.announce(offerChanged(state, 'withdrawn', caller));
        return state;
      });
      return showOffer(context, state, viewer);
    });
