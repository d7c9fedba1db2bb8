import { day, second } from '@hearth/clock';
import { badRequest, type HearthError, unavailable } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { callerKindOf } from '@hearth/limits';
import type { Call } from '@hearth/rpc';
import { sameText } from '@hearth/webhooks';
import { postSigned } from '../../shared/actions/post-signed.ts';
import type { Context } from '../context.ts';
import { isVerified, noteVerified } from '../db/verified-addresses.ts';
import { controlId } from '../domain/message.ts';
import { type PublicError, publicError } from '../domain/public-error.ts';

/** An address that gave back a challenge is not asked again for so long. */
export const verifiedMs = 30 * day;
const timeoutMs = 10 * second;
const challengeLength = 43;

/**
 * Asks an address to give back a challenge, so that nothing is sent to one that did not ask for it. One that did it for
 * this AI before is not asked again.
 *
 * @throws bad_request (callback_challenge_failed) with the reason, when it does not; rate_limited
 */
export async function verifyAddress(
  context: Context,
  { ai, id, url, secret }: { ai: string; id: string; url: string; secret: Uint8Array },
  { caller, signal }: Pick<Call, 'caller' | 'signal'>,
): Promise<void> {
  const { clock, database, ids, limiter } = context;
  if (await isVerified(database.db, ai, url, new Date(clock.now() - verifiedMs))) return;
  // Counted before it is made: to a stranger's host it is a request like any other, whatever comes of it.
  const kind = callerKindOf(caller) ?? 'anyone';
  await limiter.consume('challenges_a_host_a_day', `${ai} ${new URL(url).hostname}`, kind);
  await limiter.consume('challenges_a_day', ai, kind);
  const given = ids.token(challengeLength);
  const posted = await postSigned(context, {
    url,
    headers: { 'x-mcp-subscription-id': printId('sub', id) },
    signal,
    id: controlId('verification', ids.uuid()),
    body: JSON.stringify({ type: 'verification', challenge: given }),
    secrets: [secret],
    timeoutMs,
  });
  if (posted === null) throw unavailable('the home cannot sign just now; try again in a moment');
  if (posted.error !== null) throw refused(publicError(posted.error));
  const returned = readChallenge(posted.body);
  if (returned === null || !sameText(returned, given)) throw refused('challenge_failed');
  await database.statement((tx) => noteVerified(tx, ai, url, new Date(clock.now())));
}

function readChallenge(body: Buffer | undefined): string | null {
  try {
    const answer = JSON.parse(body?.toString('utf8') ?? '');
    const { challenge: returned } = answer as { challenge?: unknown };
    return typeof returned === 'string' ? returned : null;
  } catch {
    return null;
  }
}

const reasons: Readonly<Record<PublicError, string>> = {
  connection_refused: 'no connection to it at a public address could be made',
  timeout: 'no answer came within ten seconds',
  tls_error: 'no connection by TLS could be made',
  http_4xx: 'it answered with a redirect or a status 4xx instead of 2xx',
  http_5xx: 'it answered with a status 5xx instead of 2xx',
  challenge_failed: 'its answer is not {"challenge": "..."} with the challenge that was sent',
};

function refused(reason: PublicError): HearthError {
  return badRequest(`the callback URL did not return the challenge: ${reasons[reason]}`, {
    code: 'callback_challenge_failed',
    field: 'url',
    reason,
  });
}
