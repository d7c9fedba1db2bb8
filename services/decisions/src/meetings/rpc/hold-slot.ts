import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { second } from '@hearth/clock';
import { printId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { findBookable } from '../actions/find-bookable.ts';
import { lockTimes } from '../actions/host-times.ts';
import { bookThere, requireAnswer } from '../actions/on-elsewhere.ts';
import type { Context } from '../context.ts';
import { viewerOf } from '../domain/party.ts';

const { holdSlot: method } = MeetingsService.method;

/** Holds a time for the caller, replacing their previous hold. */
export const holdSlot =
  (context: Context): UnaryHandler<typeof method> =>
  async ({ id, slot: given }, call) => {
    const { caller } = call;
    const { clock, commit, limiter, limits } = context;
    const bookable = await findBookable(context, { offer: id, slot: given }, caller);
    const { offer, guest, slot } = bookable;
    if (offer.elsewhere !== null) return requireAnswer(await bookThere(context, bookable, method, {}, call));
    // A person and their AIs share one limit.
    const key = `${viewerOf(guest)} ${offer.id} ${slot.starts}`;
    await limiter.consume('holds_of_a_time_an_hour', key, 'anyone');
    const until = clock.now() + sizeOf(limits, 'meeting_hold_seconds') * second;
    await commit(async (tx) => {
      const times = await lockTimes(context, tx, { viewers: [offer.host_viewer], offers: [offer.id] });
      times.act(offer.id, { kind: 'hold', holder: viewerOf(guest), slot: slot.starts, until });
      await times.write();
    });
    return {
      offer: printId('ofr', offer.id),
      startsAt: timestampFromMs(slot.starts),
      endsAt: timestampFromMs(slot.ends),
      heldUntil: timestampFromMs(until),
    };
  };
