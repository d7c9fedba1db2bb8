import { setTimeout as pause } from 'node:timers/promises';

/** Resolves once `check` holds; throws when it does not within 10 seconds. */
export async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  for (const until = performance.now() + 10_000; performance.now() < until; await pause(5)) {
    if (await check()) return;
  }
  throw new Error('it never came to be');
}
