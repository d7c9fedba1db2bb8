import { day, second } from '@hearth/clock';
import { named } from '@hearth/db';
import { isJsonObject, type JsonObject, readStrictObject } from '@hearth/signing';
import { inboxLimits } from '../../shared/domain/inbox-limits.ts';
import type { Context } from '../context.ts';
import { claimPull, type LogRow } from '../db/logs.ts';
import { askForActs } from './ask-for-acts.ts';
import { standingOf } from './serve-inbox.ts';
import { takeItems } from './take-items.ts';

const timeoutMs = 30 * second;
const answerBytes = inboxLimits.max_request + 65_536;
const mostPages = 200;
/** Delay before lost acts are requested again. */
const lostPauseMs = 20 * second;

/**
 * Fetches the unsettled items of one due home's log; each home is due once a day. This is how a home restored
 * from a backup gets back what it lost, even if nothing new is sent. False if no home was due.
 */
export async function pullItems(context: Context, since: number): Promise<boolean> {
  const now = new Date(context.clock.now());
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const before = { usual: new Date(Math.max(now.getTime() - day, since)), lost: ago(lostPauseMs) };
  const log = await context.database.statement((tx) => claimPull(tx, now, before));
  if (log === null) return false;
  // Acts first: later items refer to what the acts created.
  if (await askForActs(context, log)) await pull(context, log);
  return true;
}

async function pull(context: Context, { home, inEpoch }: LogRow): Promise<void> {
  let [epoch, after] = [inEpoch, (await positionOf(context, home)).inSeq];
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await ask(context, home, epoch, after);
    if (answer === null) return;
    if (answer.status === 409) {
      const theirs = answer.value['epoch'];
      // The other home began an epoch that this home has not heard of.
      if (!Number.isSafeInteger(theirs) || (theirs as number) <= epoch) return;
      [epoch, after] = [theirs as number, 0];
      continue;
    }
    const items = readItems(answer, after);
    if (items === null || items.length === 0) return;
    const standing = await standingOf(context, home, answer.limited, undefined);
    const taken = await takeItems(context, after + 1, {
      origin: home,
      standing,
      epoch,
      seq: after + 1,
      items,
    });
    if ('outOfStep' in taken) return;
    after = taken.position.seq;
    if (answer.value['more'] !== true) return;
  }
}

async function positionOf({ database }: Context, home: string): Promise<{ inSeq: number }> {
  return await database.db.one<{ inSeq: number }>(named('federation_find_position')`
    select in_seq as "inSeq" from federation.logs where home = ${home}`);
}

interface Answer {
  status: number;
  value: JsonObject;
  limited: boolean;
}

async function ask({ homes }: Context, home: string, epoch: number, after: number): Promise<Answer | null> {
  const path = `/items?epoch=${epoch}&after=${after}&limit=${inboxLimits.max_items}`;
  const reply = await homes.ask(home, { method: 'GET', path, timeoutMs, maxResponseBytes: answerBytes });
  if (reply.refused || (reply.status !== 200 && reply.status !== 409)) return null;
  const value = readStrictObject(reply.body, { maxDepth: 34 });
  return value && { status: reply.status, value, limited: reply.policy === 'limited' };
}

/** Returns null unless the items follow that number in order; purged items cannot come again. */
function readItems({ value }: Answer, after: number): JsonObject[] | null {
  const { items } = value;
  if (!Array.isArray(items) || items.length > inboxLimits.max_items || !items.every(isJsonObject))
    return null;
  const inOrder = items.every((item, index) => item['seq'] === after + 1 + index);
  return inOrder ? (items as JsonObject[]) : null;
}
