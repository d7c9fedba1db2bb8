import { second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import type { GuardedHttp } from '@hearth/guarded-http';
import { OutboundError, readRetryAfter } from '@hearth/guarded-http';
import { printId } from '@hearth/ids';
import { anyone } from '@hearth/rpc';
import { waitBefore } from '@hearth/webhooks';
import type { Context } from '../context.ts';
import { type Attempt, type CallbackRow, noteAttempt } from '../db/callbacks.ts';
import { recordCallback } from './metrics.ts';

export type Needed = Pick<Context, 'clock' | 'database' | 'log' | 'random'> & {
  http: Pick<GuardedHttp, 'request'>;
  peers: Pick<Context['peers'], 'federation'>;
};

const timeoutMs = 10 * second;
const mostAnswerBytes = 65_536;
const gone = 410;

/** One attempt, and what comes of it. */
export async function sendCallback(context: Needed, callback: CallbackRow): Promise<void> {
  const signed = await headersFor(context, callback);
  // Who cannot sign now is no fault of the address: it is tried again when the lease ends.
  if (signed === null) return;
  const { attempt, retryAfterMs } = await post(context, callback, signed);
  await note(context, callback, attempt, retryAfterMs);
}

/** Standard Webhooks, with the home's own key alone: there is no secret that the two sides share. */
async function headersFor(
  { clock, log, peers }: Needed,
  { approval, body }: CallbackRow,
): Promise<Record<string, string> | null> {
  const id = printId('apr', approval);
  const timestamp = Math.floor(clock.now() / second);
  try {
    const request = { id, timestamp: BigInt(timestamp), body: Buffer.from(body) };
    const { signature } = await peers.federation.signWebhook(request, { caller: anyone });
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
  { clock, http }: Needed,
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
    // Whoever took it may say as much as they like; it is not read.
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

/** A success ends it, as does the last attempt, and an address that says that it is gone. */
async function note(
  { database, random, clock }: Needed,
  { approval, attempts }: CallbackRow,
  attempt: Attempt,
  retryAfterMs: number | null,
): Promise<void> {
  const [chance = 0] = random.bytes(1);
  const wait = attempt.status === gone ? null : waitBefore(attempts + 1, chance / 255, retryAfterMs);
  const status = attempt.error === null ? 'delivered' : wait === null ? 'given_up' : 'waiting';
  const nextAt = status === 'waiting' ? new Date(clock.now() + (wait as number)) : null;
  await database.statement((tx) => noteAttempt(tx, approval, attempt, { status, nextAt }));
  recordCallback({ outcome: status === 'waiting' ? 'failed' : status });
}
