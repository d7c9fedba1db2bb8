import { setTimeout as sleep } from 'node:timers/promises';

/** Retries until it passes; after that many milliseconds the last failure is thrown. */
export async function eventually<T>(attempt: () => Promise<T>, milliseconds = 10_000): Promise<T> {
  const end = performance.now() + milliseconds;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(20);
  }
}
