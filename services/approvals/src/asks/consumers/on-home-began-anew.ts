import { create } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import { HomeAskSchema } from '@hearth/proto/approvals/v1/home_asks';
import type { ReceivedEvent } from '@hearth/runtime';
import { dropGone } from '../actions/change-approval.ts';
import { followState } from '../actions/follow-state.ts';
import type { Context } from '../context.ts';
import { findWaitingWith, noteReached } from '../db/home-places.ts';
import { finalRev } from '../domain/home-ask.ts';

const batch = 200;

/**
 * A different home has taken over a known name: drops recipients of the former home, and cancels its asks
 * here. Idempotent.
 */
export const onHomeBeganAnew = (context: Context) => ({
  durable: 'asks-of-homes',
  types: ['other_home_changed'],
  async handle(events: readonly ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      const { data } = event;
      if (data.case !== 'otherHomeChanged' || data.value.change !== 'began_anew') continue;
      let found: string[];
      do {
        found = await findWaitingWith(context.database.db, data.value.home, timestampDate(event.at!), batch);
        for (const id of found) await end(context, id, data.value.home);
      } while (found.length === batch);
    }
  },
});

async function end(context: Context, id: string, gone: string): Promise<void> {
  const { approval } = (await context.batched.find(id)) ?? {};
  if (approval === undefined) return;
  if (approval.home !== null) {
    const ask = create(HomeAskSchema, { digest: approval.digest, status: ApprovalStatus.CANCELLED });
    const reference = approval.reference ?? '';
    await followState(context, id, { ask, signed: null, rev: finalRev, reference });
    return;
  }
  await context.commit((tx) => noteReached(tx, id, { home: gone, delivered: false, unknown: [] }));
  await dropGone(context, id, ({ home }) => home === gone);
}
