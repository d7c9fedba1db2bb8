import { inboxLimits } from '../../shared/domain/inbox-limits.ts';
import type { Context } from '../context.ts';
import { findLog, noteFetched } from '../db/logs.ts';
import { listSince } from '../db/sent-items.ts';
import { HomeRefusal } from '../domain/home-answer.ts';
import { signingFor } from './append-items.ts';
import type { CheckedRequest } from './check-request.ts';
import { readNumber } from './read-number.ts';
import { revokedKids, signedAgain } from './sign-item.ts';

/**
 * GET /items: returns the items for the asking home after a number. Items are re-signed if their key was
 * revoked, and re-dated if they have expired since they were settled.
 */
export async function serveItems(context: Context, { origin, query }: CheckedRequest): Promise<object> {
  const { database, keyRing } = context;
  const [epoch, after] = [readNumber(query, 'epoch', null), readNumber(query, 'after', 0)];
  const asked = readNumber(query, 'limit', inboxLimits.max_items);
  const limit = Math.min(Math.max(asked, 1), inboxLimits.max_items);
  const log = await findLog(database.db, origin);
  const has = { epoch: log?.epoch ?? 0, seq: log?.lastSeq ?? 0 };
  if (epoch !== has.epoch)
    throw new HomeRefusal('out_of_step', 'the log of this home is in another epoch', has);
  const signing = signingFor(context, origin);
  // First, so that from here on no expired item is replaced by a skip.
  await database.statement((tx) => noteFetched(tx, origin, epoch, after + limit));
  const found = log === null ? [] : await listSince(database.db, log, { after, limit: limit + 1 });
  const revoked = revokedKids(keyRing);
  const items: unknown[] = [];
  let size = 1_024;
  for (const sent of found.slice(0, limit)) {
    const lapsed = sent.settled && sent.expiresAt <= signing.now;
    const { item } = lapsed || revoked.has(sent.kid) ? signedAgain(sent, sent, signing, lapsed) : sent;
    size += Buffer.byteLength(item) + 1;
    if (size > inboxLimits.max_request && items.length > 0) break;
    items.push(JSON.parse(item));
  }
  return { epoch, items, more: items.length < found.length, last: has.seq };
}
