import { second } from '@hearth/clock';
import { printId } from '@hearth/ids';
import type { PreparedPost } from '@hearth/proto/delivery/v1/send_sources';
import { anonymous } from '@hearth/rpc';
import { backoffBefore } from '@hearth/webhooks';
import { postSigned } from '../../shared/actions/post-signed.ts';
import { destinationKinds, states } from '../../shared/db/destinations.ts';
import type { OutboundKind, Outcome } from '../../shared/domain/outbound.ts';
import type { Context } from '../context.ts';
import {
  type DueCallback,
  dropCallbacks,
  findDueCallbacks,
  nextDueSql,
  type SettledCallback,
  settleCallbacks,
} from '../db/callbacks.ts';
import { recordCallback } from './metrics.ts';

/** A callback with its current content. */
interface CallbackSend extends DueCallback {
  post: Pick<PreparedPost, 'url' | 'body'>;
}

const timeoutMs = 10 * second;
const gone = 410;

/**
 * Callbacks of asks as a kind of sends of the engine: signed with the home's own key only, as the two sides
 * share no secret.
 */
export function createCallbackKind(context: Context): OutboundKind<CallbackSend> {
  const { approvals, clock, database, random } = context;

  /** Loads the content; callbacks no longer allowed end as `not_sent`. */
  async function prepare(now: Date, due: readonly DueCallback[]): Promise<CallbackSend[]> {
    if (due.length === 0) return [];
    const refs = due.map(({ approval }) => ({ kind: 'callback', id: approval }));
    const { sends: prepared } = await approvals.prepareSends({ sends: refs }, { caller: anonymous });
    const posts = prepared.map(({ content }) => (content.case === 'post' ? content.value : null));
    const dropped = due.filter((_, index) => posts[index] === null);
    if (dropped.length > 0) {
      const ids = dropped.map(({ id }) => id);
      await database.statement((tx) => dropCallbacks(tx, ids, now));
    }
    return due.flatMap((send, index) => (posts[index] ? { ...send, post: posts[index] } : []));
  }

  /** Returns the callback after an attempt. A success, the last attempt or 410 Gone ends it. */
  function settled({ send, error, status, retryAfterMs }: Outcome<CallbackSend>): SettledCallback {
    const [chance = 0] = random.bytes(1);
    const ends = error === null || status === gone;
    const backoff = ends ? null : backoffBefore(send.attempts + 1, chance / 255, retryAfterMs);
    recordCallback({ outcome: error === null ? 'delivered' : backoff === null ? 'given_up' : 'failed' });
    return {
      id: send.id,
      status: error === null ? states.delivered : backoff === null ? states.failed : states.waiting,
      dueAt: backoff === null ? null : new Date(clock.now() + backoff),
      origin: new URL(send.post.url).origin,
      error,
    };
  }

  return {
    number: destinationKinds.callback,
    name: 'callback',
    passing: true,
    parallel: 4,
    gatherMs: 50,
    nextDueSql,
    due: async (now, questions) => await prepare(now, await findDueCallbacks(database.db, now, questions)),
    prepare: (now, queued) => prepare(now, queued as DueCallback[]),
    async attempt(send, signal) {
      const id = printId('apr', send.approval);
      const posted = await postSigned(context, { id, ...send.post, timeoutMs, signal });
      return posted === null ? null : { send, ...posted };
    },
    settle: (outcomes) => settleCallbacks(outcomes.map(settled), new Date(clock.now())),
  };
}
