import { eventually } from '@hearth/testkit/eventually';
import { expect } from '@jest/globals';
import { attempt, isClearRefusal } from './attempt.ts';

/** GET /ready or /health: status and body. */
export async function probe(url: string, path: '/ready' | '/health') {
  const outcome = await attempt({ url, path, withinMs: 10_000 });
  if (outcome.kind !== 'answer') return { status: 0, body: {}, ms: outcome.ms, headers: new Headers() };
  return outcome;
}

/** Waits until the gateway says that it is not ready, with this reason and a retry time; it stays alive throughout. */
export async function expectNotReady(url: string, reason: RegExp): Promise<void> {
  // Another service that lacks the same server may be named first.
  const seen = await eventually(
    () => probe(url, '/ready'),
    ({ status, body }) =>
      status === 503 && (body as { reasons: string[] }).reasons.some((text) => reason.test(text)),
  );
  expect(seen.body).toEqual({ status: 'not ready', reasons: expect.any(Array) });
  expect(seen.headers.get('retry-after')).toMatch(/^\d+$/);
  // A Kubernetes probe waits a few seconds at most, and otherwise only knows that there was no answer.
  expect(seen.ms).toBeLessThan(5_000);
  expect(await probe(url, '/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
}

/** Waits until the gateway is ready again; returns the milliseconds that it took. */
export async function readyAgain(url: string): Promise<number> {
  const began = performance.now();
  await eventually(
    () => probe(url, '/ready'),
    ({ status }) => status === 200,
  );
  return Math.round(performance.now() - began);
}

/** Expects the request to be refused as temporarily unavailable, with an explanation and within `withinMs`. */
export async function expectRefused(
  request: { url: string; method?: string; path: string; key?: string; body?: unknown },
  { words, withinMs = 8_000 }: { words?: RegExp; withinMs?: number } = {},
): Promise<void> {
  const outcome = await attempt({ ...request, withinMs: 15_000 });
  expect(outcome).toMatchObject({ kind: 'answer', status: 503, body: { error: expect.any(String) } });
  if (outcome.kind !== 'answer') return;
  expect({ ...outcome, clear: isClearRefusal(outcome) }).toMatchObject({ clear: true });
  if (words !== undefined) expect(outcome.body['error']).toMatch(words);
  expect(outcome.ms).toBeLessThan(withinMs);
}
