import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves after the given time, or as soon as `ended` aborts, so that a sleep does not delay the end of the
 * process.
 */
export async function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: ended }).catch(() => {});
}
