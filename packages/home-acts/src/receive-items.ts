import type { Commit, UnitOfWork } from '@hearth/outbox';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { type HomeItem, HomeItemDecision, type HomeItemsService } from '@hearth/proto/federation/v1/items';
import type { Call, UnaryHandler } from '@hearth/rpc';
import type { JsonObject } from '@hearth/signing';
import type { PeerStanding } from './copy-kind.ts';
import type { ReceivedActs, Verdict } from './received-acts.ts';
import { isKeysAway } from './record.ts';
import type { ReturnedAct, SentAct, SentActs } from './sent-acts.ts';

/** How a service handles items from other homes. */
export interface Receiving {
  commit: Commit;
  receivedActs: Pick<ReceivedActs, 'take'>;
  sentActs: Pick<SentActs, 'restore' | 'settle'>;
  /** Returns null for a kind that the service does not have. */
  takeState(item: HomeItem, standing: PeerStanding, call: Call): Promise<Verdict | null>;
  takeErased(item: HomeItem): Promise<void>;
  /**
   * Returns what to keep with a local act that another home gave back, in the transaction that stores it;
   * null for the default.
   */
  actReturned(tx: UnitOfWork, act: ReturnedAct): Promise<JsonObject | null>;
  /** Called in the transaction that stores an act's result; null for an act that was already settled. */
  actEnded?(tx: UnitOfWork, act: SentAct | null): Promise<void>;
}

/** One after the other, because a state may arrive together with items that refer to it. */
export const receivesHomeItems =
  (receiving: Receiving): UnaryHandler<typeof HomeItemsService.method.receiveHomeItems> =>
  async ({ items, domain, limited, firstContactsLeft: left }, call) => {
    const verdicts: Verdict[] = [];
    let firstContactsLeft = left;
    for (const item of items) {
      const verdict = await take(receiving, item, { domain, limited, firstContactsLeft }, call);
      firstContactsLeft -= verdict.firstContacts ?? 0;
      verdicts.push(verdict);
    }
    return { verdicts };
  };

const ok: Verdict = { decision: HomeItemDecision.OK };
const unknown: Verdict = { decision: HomeItemDecision.REJECTED, code: 'unknown_type' };
const unknownKind: Verdict = {
  ...{ ...unknown, code: 'schema' },
  ...{ path: 'body.kind', rule: 'must be a kind of state that this home knows' },
};

async function take(
  receiving: Receiving,
  item: HomeItem,
  standing: PeerStanding,
  call: Call,
): Promise<Verdict> {
  const { commit, receivedActs, sentActs } = receiving;
  switch (item.type) {
    case HomeItemType.STATE:
      try {
        return (await receiving.takeState(item, standing, call)) ?? unknownKind;
      } catch (error) {
        if (!isKeysAway(error)) throw error;
        // The record can't be verified yet. No state follows the end of a thing, so decide this one later.
        return { decision: HomeItemDecision.LATER };
      }
    case HomeItemType.ACT:
      if (!item.returned) return await receivedActs.take(item, call);
      await commit((tx) => sentActs.restore(tx, item, (act) => receiving.actReturned(tx, act)));
      return ok;
    case HomeItemType.RESULT:
      await commit(async (tx) => {
        const act = await sentActs.settle(tx, item);
        await receiving.actEnded?.(tx, act);
      });
      return ok;
    case HomeItemType.ERASED:
      await receiving.takeErased(item);
      return ok;
    default:
      return unknown;
  }
}
