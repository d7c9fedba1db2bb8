import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after that many milliseconds, or once `ended` is aborted, so that nothing sleeps through a shutdown. */
export async function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: ended }).catch(() => {});
}
