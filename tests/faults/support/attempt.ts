// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
export type Body = Record<string, any>;

/** One request as a client experiences it: answered, unanswered because the connection broke, or hung. */
export type Outcome =
  | { kind: 'answer'; status: number; headers: Headers; body: Body; ms: number }
  | { kind: 'no_connection'; reason: string; ms: number }
  | { kind: 'hung'; ms: number };

export interface Attempt {
  url: string;
  method?: string;
  path: string;
  key?: string | undefined;
  body?: unknown;
  /** Milliseconds after which the client gives up and reports it as hung. */
  withinMs: number;
  /** Aborts the request, which then counts as `no_connection`. */
  signal?: AbortSignal | undefined;
}

/** Sends one request and never throws. */
export async function attempt(options: Attempt): Promise<Outcome> {
  const { url, method = 'GET', path, key, body, withinMs, signal } = options;
  const began = performance.now();
  const timeout = AbortSignal.timeout(withinMs);
  const took = () => Math.round(performance.now() - began);
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    const text = await answer.text();
    return { kind: 'answer', status: answer.status, headers: answer.headers, body: parse(text), ms: took() };
  } catch (error) {
    if (timeout.aborted) return { kind: 'hung', ms: took() };
    return { kind: 'no_connection', reason: reasonOf(error), ms: took() };
  }
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return { notJson: text };
  }
}

function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string } }).cause;
  return cause?.code ?? (error as Error).message;
}

/**
 * Whether a client without service can tell that it should retry later. A valid request may only be answered with 503 or 429,
 * with an explanation and Retry-After.
 */
export function isClearRefusal({ status, headers, body }: Outcome & { kind: 'answer' }): boolean {
  if (status !== 503 && status !== 429) return false;
  const sentence = typeof body['error'] === 'string' && /^[a-z].{15,}$/i.test(body['error']);
  const inner = /node_modules|\.ts:|ECONN|SQLSTATE|127\.0\.0\.1/.test(JSON.stringify(body));
  return sentence && !inner && /^[1-9]\d*$/.test(headers.get('retry-after') ?? '');
}
