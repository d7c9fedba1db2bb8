import { minute, second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { pointsOfBody, type Use } from '@hearth/limits';
import type { Context } from '../context.ts';
import { HomeRefusal } from '../domain/home-answer.ts';

/** Returns the points that a request with this body counts. */
export const weightOf = (body: Uint8Array): number => 1 + pointsOfBody(body.length);

/** Counts uses by another home, all or none. @throws HomeRefusal 429, with the time to retry */
export async function countUses(
  { clock, limiter }: Pick<Context, 'clock' | 'limiter'>,
  uses: readonly Omit<Use, 'kind'>[],
): Promise<void> {
  try {
    await limiter.consumeAll(uses.map((use) => ({ ...use, kind: 'anyone' })));
  } catch (error) {
    if (!isHearthError(error) || error.kind !== 'rate_limited') throw error;
    throw tooMany(clock.now(), error.message, error.details.resetsAt);
  }
}

export function tooMany(now: number, words: string, resetsAt: Date | undefined): HomeRefusal {
  const resetsInMs = (resetsAt?.getTime() ?? now + minute) - now;
  return new HomeRefusal('too_many', words, {
    retryAfterSeconds: Math.max(1, Math.ceil(resetsInMs / second)),
  });
}
