import type { Refusal } from './operations.ts';

/** A refusal by the home, with the home's own message. */
export class HomeError extends Error {
  override readonly name = 'HomeError';
  /** The HTTP status. */
  readonly status: number;
  /** The home's structured answer; undefined if something else answered, such as a proxy. */
  readonly refusal: Refusal | undefined;
  /** When to retry, in seconds, if the answer says so. */
  readonly retryAfter: number | undefined;

  /** @param origin that was called */
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

/** Parses JSON; undefined if malformed. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
