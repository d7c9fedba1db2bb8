import type { Refusal } from './operations.ts';

/** The home did not do it; the message is its own words. */
export class HomeError extends Error {
  override readonly name = 'HomeError';
  /** The HTTP status. */
  readonly status: number;
  /** All that the home says about it, for a program. Undefined where the answer is not that of a home: of a proxy before it, say. */
  readonly refusal: Refusal | undefined;
  /** When to come back, in seconds, where it is said. */
  readonly retryAfter: number | undefined;

  /** @param origin that was asked */
  constructor(origin: string, { status, headers }: Response, text: string) {
    const refusal = refusalIn(parse(text));
    super(
      refusal?.error ??
        `${origin} answered with status ${status} and something that no home says; is it the address of one?`,
    );
    this.status = status;
    this.refusal = refusal;
    const seconds = headers.get('retry-after');
    this.retryAfter = seconds === null || !/^\d+$/.test(seconds) ? undefined : Number(seconds);
  }
}

function refusalIn(answer: unknown): Refusal | undefined {
  const { error } = (answer ?? {}) as { error?: unknown };
  return typeof error === 'string' ? (answer as Refusal) : undefined;
}

/** Undefined for what is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
