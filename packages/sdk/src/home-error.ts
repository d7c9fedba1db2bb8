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

  constructor({ status, url, headers }: Response, text: string) {
    const refusal = readRefusal(text);
    super(
      refusal?.error ??
        `${new URL(url).origin} answered with status ${status} and something that no home says; is it the address of one?`,
    );
    this.status = status;
    this.refusal = refusal;
    const seconds = headers.get('retry-after');
    this.retryAfter = seconds === null || !/^\d+$/.test(seconds) ? undefined : Number(seconds);
  }
}

function readRefusal(text: string): Refusal | undefined {
  try {
    const answer = JSON.parse(text) as Partial<Refusal> | null;
    return typeof answer?.error === 'string' ? (answer as Refusal) : undefined;
  } catch {
    return undefined;
  }
}
