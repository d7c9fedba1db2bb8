import type { JsonObject } from '@hearth/signing';
import { inboxLimits } from '../../shared/domain/inbox-limits.ts';
import type { Context } from '../context.ts';
import { listActs } from '../db/received-acts.ts';
import { findItemsOf } from '../db/sent-items.ts';
import { actEvent } from '../domain/act-event.ts';
import { HomeRefusal } from '../domain/home-answer.ts';
import type { CheckedRequest } from './check-request.ts';
import { readNumber } from './read-number.ts';

/**
 * GET /items?yours=acts: returns the asking home's own acts after a position in its log, with their results.
 * A home restored from a backup learns from them what its people did.
 */
export async function serveActs(
  { database }: Pick<Context, 'database'>,
  { origin, query }: CheckedRequest,
): Promise<object> {
  if (query.get('yours') !== 'acts') throw new HomeRefusal('bad_batch', 'yours must be acts');
  const after = { epoch: readNumber(query, 'epoch', null), seq: readNumber(query, 'after', 0) };
  const asked = readNumber(query, 'limit', inboxLimits.max_items);
  const limit = Math.min(Math.max(asked, 1), inboxLimits.max_items);
  const found = await listActs(database.db, origin, after, limit + 1);
  const events = found.map(({ id }) => actEvent(id));
  const results = await findItemsOf(database.db, origin, events);
  const acts: object[] = [];
  let size = 1_024;
  for (const [index, { epoch, item }] of found.slice(0, limit).entries()) {
    const result = results.get(events[index]!);
    size += Buffer.byteLength(item) + Buffer.byteLength(result ?? '') + 64;
    if (size > inboxLimits.max_request && acts.length > 0) break;
    acts.push({ epoch, act: JSON.parse(item), ...(result !== undefined && { result: bodyOf(result) }) });
  }
  return { acts, more: acts.length < found.length };
}

/** Returns the body of a result without its act, which stands next to it. */
function bodyOf(item: string): JsonObject {
  const { act: _, ...body } = (JSON.parse(item) as { body: JsonObject }).body;
  return body;
}
