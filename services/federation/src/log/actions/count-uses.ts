import { minute, second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { pointsOfBody, type Use } from '@hearth/limits';
import type { Context } from '../context.ts';
import { HomeRefusal } from '../domain/home-answer.ts';

/** The points for which a request with such a body counts. */
export const weightOf = (body: Uint8Array): number => 1 + pointsOfBody(body.length);

/** Counts what another home does, all of it or none. @throws HomeRefusal 429, with when to come again */
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
