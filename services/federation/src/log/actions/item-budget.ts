import { isHearthError } from '@hearth/errors';
import { pointsOfStrangersActs } from '@hearth/limits';
import type { Context } from '../context.ts';
import { countUses, tooMany } from './count-uses.ts';

/** A push, as its budget counts it. */
export interface CountedPush {
  origin: string;
  /** The registrable domain. */
  domain: string;
  network: string;
  /** Whether no one here ever wrote to that home, and the operator did not decide about it. */
  isStranger: boolean;
  items: number;
  acts: number;
}

const refusedLimit = 'home_refused_acts_an_hour';

/** Counts the items of a push before any item is checked. @throws HomeRefusal */
export async function countItems(
  context: Pick<Context, 'clock' | 'limiter'>,
  { origin, domain, network, isStranger, items: points, acts }: CountedPush,
): Promise<void> {
  const keys = isStranger ? [domain, network] : [];
  const ofStranger = keys.flatMap((key) => [
    { limit: 'stranger_items_a_minute' as const, key, points },
    { limit: 'home_items_a_day' as const, key, points },
    // Each act is carried out, and answered with a signed item.
    ...(acts > 0
      ? [{ limit: 'stranger_requests_a_minute' as const, key, points: pointsOfStrangersActs(acts) }]
      : []),
  ]);
  await countUses(context, [{ limit: 'home_items_a_minute', key: origin, points }, ...ofStranger]);
  const usage = acts > 0 ? await context.limiter.peek(refusedLimit, origin, 'anyone') : null;
  if (usage !== null && usage.remaining <= 0)
    throw tooMany(context.clock.now(), 'too many acts of yours were refused', new Date(usage.resetsAt));
}

/** Counts acts answered with an error: each of them made a signed item. */
export async function countRefusedActs(
  { limiter }: Pick<Context, 'limiter'>,
  origin: string,
  count: number,
): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    try {
      await limiter.consume(refusedLimit, origin, 'anyone');
    } catch (error) {
      if (!isHearthError(error) || error.kind !== 'rate_limited') throw error;
      return;
    }
  }
}
