import { day } from '@hearth/clock';
import type { Db } from '@hearth/db';
import { badRequest, rateLimited } from '@hearth/errors';
import { callerKindOf, limitFor } from '@hearth/limits';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { countSubscriptions } from '../db/subscriptions.ts';

/**
 * Checks whether the AI may have another subscription: a number at once, and a number of new ones in 24
 * hours. A subscription that it already has does not count. In a transaction that holds the AI's stream, no
 * concurrent call can exceed the limits.
 *
 * @returns whether the subscription is new
 * @throws bad_request (cap_reached), rate_limited
 */
export async function checkLimits(
  { limits }: Pick<Context, 'limits'>,
  db: Db,
  asked: { ai: string; id: string; now: Date; caller: Caller },
): Promise<boolean> {
  const { ai, id, now, caller } = asked;
  const since = new Date(now.getTime() - day);
  const { active, known, started, oldestStart } = await countSubscriptions(db, {
    ai,
    besides: id,
    now,
    since,
  });
  if (known) return false;
  const kind = callerKindOf(caller) ?? 'anyone';
  const mostAtOnce = limitFor(limits, 'subscriptions_at_once', kind);
  if (mostAtOnce !== null && active >= mostAtOnce) {
    // Waiting does not help, so it is not `rate_limited`.
    throw badRequest(
      `this AI has ${active} subscriptions, and ${mostAtOnce} are the most at once; stop one first`,
      { code: 'cap_reached', limit: 'subscriptions_at_once' },
    );
  }
  const mostADay = limitFor(limits, 'subscriptions_a_day', kind);
  if (mostADay !== null && started >= mostADay) {
    throw rateLimited('subscriptions_a_day', new Date((oldestStart ?? now).getTime() + day));
  }
  return true;
}
