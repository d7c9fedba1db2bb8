import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import { changeUnsettled } from '../actions/change-approval.ts';
import type { Context } from '../context.ts';
import { findOpenOfAskers, findWaitingProposalBy } from '../db/approvals.ts';
import { erasedAsk, isAway } from '../domain/home-ask.ts';

const batch = 200;

/**
 * Cancels the asks of deleted people (other homes delete their copies), and of switched-off AIs
 * without an owner. Cancels an AI's proposal of rules when it leaves the person, which makes room for the next
 * proposal. Idempotent.
 */
export const onAccountDeleted = (context: Context) => ({
  durable: 'ends',
  types: ['account_deleted', 'ai_revoked', 'ai_unclaimed'],
  async handle(received: readonly ReceivedEvent[]) {
    const deleted = received.flatMap(({ event: { data } }) =>
      data.case === 'accountDeleted' ? data.value.deleted : [],
    );
    const switchedOff = received.flatMap(({ event: { data } }) =>
      data.case === 'aiRevoked' && data.value.owner === '' ? [data.value.ai] : [],
    );
    let found: string[];
    do {
      found = await findOpenOfAskers(context.database.db, [...deleted, ...switchedOff], batch);
      for (const id of found) {
        await changeUnsettled(context, id, () => ({ act: { kind: 'cancel' }, by: null }));
        const ask = await context.batched.find(id);
        const asker = ask?.approval.asker_person ?? ask?.approval.asker ?? '';
        if (ask !== null && isAway(ask) && deleted.includes(asker))
          await context.commit(async (tx) => tx.announce(erasedAsk(ask, context.homeNames)));
      }
    } while (found.length === batch);
    for (const left of received.flatMap(leftPerson)) {
      const proposal = await findWaitingProposalBy(context.database.db, left);
      if (proposal !== null)
        await changeUnsettled(context, proposal, () => ({ act: { kind: 'cancel' }, by: null }));
    }
  },
});

/** The AI (uuid) that an event separates from its person. */
function leftPerson({ event: { at, data } }: ReceivedEvent) {
  const left =
    data.case === 'aiRevoked'
      ? { ai: data.value.ai, person: data.value.owner }
      : data.case === 'aiUnclaimed'
        ? { ai: data.value.ai?.id ?? '', person: data.value.owner }
        : null;
  return left === null || left.person === '' ? [] : [{ ...left, at: timestampDate(at!) }];
}
