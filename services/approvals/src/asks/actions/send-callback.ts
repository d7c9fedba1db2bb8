import { second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { OutboundError, readRetryAfter } from '@hearth/guarded-http';
import { printId } from '@hearth/ids';
import { anonymous } from '@hearth/rpc';
import { backoffBefore } from '@hearth/webhooks';
import type { AskParts, Context } from '../context.ts';
import { type Attempt, type CallbackRow, noteAttempt } from '../db/callbacks.ts';
import { recordCallback } from './metrics.ts';

export type CallbackDeps = Pick<AskParts, 'clock' | 'database' | 'http' | 'log' | 'random'> &
  Pick<Context, 'peers'>;

const timeoutMs = 10 * second;
const mostAnswerBytes = 65_536;
const gone = 410;

/** Makes one attempt, and notes its result. */
export async function sendCallback(context: CallbackDeps, callback: CallbackRow): Promise<void> {
  const signed = await headersFor(context, callback);
  // A missing signature is no fault of the address: the next attempt follows the end of the lease.
  if (signed === null) return;
  const { attempt, retryAfterMs } = await post(context, callback, signed);
  await note(context, callback, attempt, retryAfterMs);
}

/** Standard Webhooks, with the home's own key alone: the two sides share no secret. */
async function headersFor(
  { clock, log, peers }: CallbackDeps,
  { approval, body }: CallbackRow,
): Promise<Record<string, string> | null> {
  const id = printId('apr', approval);
  const timestamp = Math.floor(clock.now() / second);
  try {
    const request = { id, timestamp: BigInt(timestamp), body: Buffer.from(body) };
    const { signature } = await peers.federation.signWebhook(request, { caller: anonymous });
    return {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    };
  } catch (err) {
    if (!isHearthError(err)) throw err;
    log.warn({ err, approval }, 'a callback could not be signed and waits');
    return null;
  }
}

async function post(
  { clock, http }: CallbackDeps,
  { url, body }: CallbackRow,
  headers: Record<string, string>,
): Promise<{ attempt: Attempt; retryAfterMs: number | null }> {
  try {
    const answer = await http.request({
      method: 'POST',
      url,
      headers,
      body,
      timeoutMs,
      maxResponseBytes: mostAnswerBytes,
    });
    const now = clock.now();
    return {
      attempt: {
        at: new Date(now),
        status: answer.status,
        error: isSuccess(answer.status) ? null : 'status',
      },
      retryAfterMs: readRetryAfter(answer.headers['retry-after'], now),
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const status = error.status ?? null;
    // The body of an answer is not read, so that its length does not matter.
    const taken = error.category === 'too_large' && status !== null && isSuccess(status);
    return {
      attempt: { at: new Date(clock.now()), status, error: taken ? null : error.category },
      retryAfterMs: null,
    };
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** A success ends the callback, as do the last attempt and an address that says that it is gone. */
async function note(
  { database, random, clock }: CallbackDeps,
  { approval, attempts }: CallbackRow,
  attempt: Attempt,
  retryAfterMs: number | null,
): Promise<void> {
  const [chance = 0] = random.bytes(1);
  const backoff = attempt.status === gone ? null : backoffBefore(attempts + 1, chance / 255, retryAfterMs);
  const status = attempt.error === null ? 'delivered' : backoff === null ? 'given_up' : 'waiting';
  const retryAt = status === 'waiting' ? new Date(clock.now() + (backoff as number)) : null;
  await database.statement((tx) => noteAttempt(tx, approval, attempt, { status, retryAt }));
  recordCallback({ outcome: status === 'waiting' ? 'failed' : status });
}
