import type { Refusal } from './operations.ts';

/** The home did not do it; the message is its own words. */
export class HomeError extends Error {
  override readonly name = 'HomeError';
  /** The HTTP status. */
  readonly status: number;
  /** Everything that the home says about it: the code, the field at fault, the limit that was reached. */
  readonly refusal: Refusal;
  /** When to come back, in seconds, where the home says it. */
  readonly retryAfter: number | undefined;

  constructor(status: number, refusal: Refusal, retryAfter: number | undefined) {
    super(refusal.error);
    this.status = status;
    this.refusal = refusal;
    this.retryAfter = retryAfter;
  }

  static async of(response: Response): Promise<HomeError> {
    const { status, headers } = response;
    const text = await response.text();
    const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
    return new HomeError(status, read(text, status), Number.isNaN(retryAfter) ? undefined : retryAfter);
  }
}

/** A proxy before the home may answer in other words, or with a page. */
function read(text: string, status: number): Refusal {
  try {
    const answer = JSON.parse(text) as Partial<Refusal> | null;
    if (typeof answer?.error === 'string') return answer as Refusal;
  } catch {
    // Said below.
  }
  return { error: `status ${status}, in words that are not those of a home` };
}
