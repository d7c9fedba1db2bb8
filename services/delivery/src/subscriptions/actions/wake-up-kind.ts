import { second } from '@hearth/clock';
import { printId } from '@hearth/ids';
import { postSigned, type SigningContext } from '../../shared/actions/post-signed.ts';
import type { OutboundKind } from '../../shared/domain/outbound.ts';
import type { Context } from '../context.ts';
import {
  type DueSend,
  dropDead,
  dropStale,
  listDueSends,
  lockStates,
  settleSends,
} from '../db/subscription-sends.ts';
import { messageOf } from '../domain/message.ts';
import { openSecret } from '../domain/secrets.ts';
import { settlementOf, type WakeUpSend } from '../domain/settlement.ts';
import { recordLag } from './metrics.ts';

const timeoutMs = 5 * second;

/** Wake-ups over webhooks, and messages about their subscriptions, as a kind of sends of the engine. */
export function createWakeUpKind(
  context: SigningContext & Pick<Context, 'database' | 'ids' | 'sealer'>,
): OutboundKind<WakeUpSend> {
  const { clock, database, ids, sealer } = context;

  /** Drops sends that may no longer be sent, so that they do not stay due forever. */
  async function weedOut(now: Date, rows: readonly DueSend[]): Promise<DueSend[]> {
    const dead = new Set(rows.filter(({ alive }) => !alive).map(({ subscription }) => subscription));
    const stale = rows.filter(({ alive, stale: isStale }) => alive && isStale);
    if (dead.size > 0) await database.statement((tx) => dropDead(tx, now, [...dead]));
    if (stale.length > 0) await database.statement((tx) => dropStale(tx, now, stale));
    return rows.filter(({ alive, stale: isStale }) => alive && !isStale);
  }

  return {
    number: 2,
    name: 'subscription',
    parallel: 8,
    async due(now, questions) {
      const rows = await listDueSends(database.db, now, questions);
      const kept = rows.every(({ alive, stale }) => alive && !stale) ? rows : await weedOut(now, rows);
      return kept.map((row) => ({
        id: `${row.kind}:${row.number}`,
        destination: row.subscription,
        orderKey: null,
        attempts: row.attempts,
        row,
      }));
    },
    async attempt(send, signal) {
      const { row } = send;
      const { url, subscription, secret, old_secret } = row;
      if (row.kind === 1 && row.attempts === 0) recordLag(clock.now() - row.at.getTime());
      const sealed = old_secret === null ? [secret] : [secret, old_secret];
      const posted = await postSigned(context, {
        ...messageOf(row),
        url,
        headers: { 'x-mcp-subscription-id': printId('sub', subscription) },
        secrets: sealed.map((each) => openSecret(sealer, subscription, each)),
        timeoutMs,
        signal,
      });
      return posted === null ? null : { send, ...posted };
    },
    async settle(outcomes) {
      await database.transaction(async (tx) => {
        const of = [...new Set(outcomes.map(({ send }) => send.destination))];
        const states = await lockStates(tx, of);
        await settleSends(
          tx,
          settlementOf(new Date(clock.now()), states, outcomes, () => ids.uuid()),
        );
      });
    },
    nextDueSql: `
      select min(s.due_at) from delivery.subscription_sends s where s.subscription = d.id and s.status = 1`,
  };
}
