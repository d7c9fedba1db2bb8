import { HomeError, parse } from './home-error.ts';
import { type Operations, routes } from './operations.ts';
import type { CallOptions, Route } from './route.ts';

export interface HomeOptions {
  /** `https://home.example` */
  url: string | URL;
  /** The key of an AI, an app or an operator, or an access token; not needed for open operations. */
  key?: string;
  /** For an app: the person (per_) or AI (ai_) it acts for. */
  actingFor?: string;
  /** The maximum number of retries of a repeatable request (default 2). */
  retries?: number;
  /**
   * The timeout of an attempt in milliseconds, in addition to the time that the home may hold the call (default
   * 15,000).
   */
  timeoutMs?: number;
  /** Replaces the built-in `fetch`. */
  fetch?: typeof fetch;
}

export type Home = Operations;

type Input = Record<string, unknown>;

/** The longest pause before a retry; longer waits are left to the caller. */
const longestPauseSeconds = 30;
const firstPauseSeconds = 0.25;

/**
 * Returns a client whose methods are the home's operations. Each method takes the operation's fields as one object. It
 * throws HomeError if the home refuses, and the error of `fetch` if the home can't be reached in time.
 *
 * Retries idempotent operations if the home is busy or away or its answer was lost. Operations with a `request_id` are
 * idempotent too; a missing `request_id` is generated. Other operations are retried only if the home says that it did
 * nothing (429).
 */
export function connect(options: HomeOptions): Home {
  const entries = Object.entries(routes).map(([name, route]) => [
    name,
    (input: Input = {}, { signal }: CallOptions = {}) => call(options, route, input, signal),
  ]);
  return Object.fromEntries(entries) as Home;
}

async function call(
  options: HomeOptions,
  route: Route,
  given: Input,
  signal?: AbortSignal,
): Promise<unknown> {
  const { retries = 2, timeoutMs = 15_000, fetch = globalThis.fetch } = options;
  const request = requestOf(
    options,
    route,
    route.once ? { request_id: crypto.randomUUID(), ...given } : given,
  );
  for (let sent = 0; ; sent += 1) {
    let failure: unknown;
    try {
      const late = AbortSignal.timeout(timeoutMs + (route.held ?? 0) * 1_000);
      const until = signal === undefined ? late : AbortSignal.any([signal, late]);
      const response = await fetch(request.url, { ...request.init, signal: until });
      const text = await response.text();
      const answer = route.text ? text : parse(text);
      if (response.ok && answer !== undefined) return answer;
      failure = new HomeError(request.url.origin, response, text);
    } catch (error) {
      failure = error;
    }
    signal?.throwIfAborted();
    const pause = pauseSeconds(failure, sent);
    if (sent >= retries || !mayRepeat(failure, route) || pause > longestPauseSeconds) throw failure;
    await new Promise((resolve) => {
      setTimeout(resolve, pause * 1_000);
      signal?.addEventListener('abort', resolve, { once: true });
    });
    signal?.throwIfAborted();
  }
}

function requestOf({ url, key, actingFor }: HomeOptions, { method, path, body }: Route, input: Input) {
  const rest = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name] ?? '');
    delete rest[name];
    // An empty or dot segment would lead to another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be given; got "${value}"`);
    return encodeURIComponent(value);
  });
  const target = new URL(filled, url);
  if (!body)
    for (const [name, value] of Object.entries(rest))
      for (const one of [value].flat()) if (one !== undefined) target.searchParams.append(name, String(one));
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(actingFor !== undefined && { 'svc-acting-for': actingFor }),
    ...(body && { 'content-type': 'application/json' }),
  };
  // Redirects aren't followed, because the key is for this home only.
  const init: RequestInit = {
    method,
    headers,
    redirect: 'manual',
    ...(body && { body: JSON.stringify(rest) }),
  };
  return { url: target, init };
}

function mayRepeat(failure: unknown, { again }: Route): boolean {
  if (!(failure instanceof HomeError)) return again === true;
  return failure.status === 429 || (again === true && [502, 503, 504].includes(failure.status));
}

/**
 * Seconds until the next attempt: exponential backoff with jitter, so that clients refused together don't return
 * together.
 */
function pauseSeconds(failure: unknown, sent: number): number {
  const asked = failure instanceof HomeError ? (failure.retryAfter ?? 0) : 0;
  return asked + firstPauseSeconds * 2 ** sent * (1 + Math.random());
}
