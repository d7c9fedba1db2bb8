import { day, second } from '@hearth/clock';
import { badRequest, type HearthError, unavailable } from '@hearth/errors';
import { callerKindOf } from '@hearth/limits';
import type { Call } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { sameText } from '@hearth/webhooks';
import { isVerified, noteVerified } from '../db/verified-addresses.ts';
import { controlId } from '../domain/control-id.ts';
import { type PublicError, publicError } from '../domain/public-error.ts';
import { postSigned, type SignedMessage, type SigningContext } from './post-signed.ts';

export type VerifyingContext = SigningContext & Pick<Host, 'database' | 'ids' | 'limiter'>;

/** A verified address is not challenged again for this long. */
export const verifiedMs = 30 * day;
const timeoutMs = 10 * second;
const challengeLength = 43;

/** An address that an AI or a person gives, with the secrets and headers of its challenge. */
export interface GivenAddress extends Pick<SignedMessage, 'headers' | 'secrets' | 'url'> {
  /** uuid of the AI or person. */
  party: string;
  /** The request field that holds the address. */
  field: string;
}

/**
 * Challenges an address, so that nothing is sent where no one asked for it. An address that this party
 * verified recently is not challenged again.
 *
 * @throws bad_request (callback_challenge_failed) with the reason if the challenge fails; unavailable;
 * rate_limited
 */
export async function verifyAddress(
  context: VerifyingContext,
  { party, field, url, ...marks }: GivenAddress,
  { caller, signal }: Pick<Call, 'caller' | 'signal'>,
): Promise<void> {
  const { clock, database, ids, limiter } = context;
  if (await isVerified(database.db, party, url, new Date(clock.now() - verifiedMs))) return;
  // Counted before the request: it reaches a stranger's host whatever its outcome.
  const kind = callerKindOf(caller) ?? 'anyone';
  await limiter.consumeAll([
    { limit: 'challenges_a_host_a_day', key: `${party} ${new URL(url).hostname}`, kind },
    { limit: 'challenges_a_day', key: party, kind },
  ]);
  const given = ids.token(challengeLength);
  const posted = await postSigned(context, {
    ...marks,
    url,
    signal,
    id: controlId('verification', ids.uuid()),
    body: JSON.stringify({ type: 'verification', challenge: given }),
    timeoutMs,
  });
  if (posted === null) throw unavailable('the home cannot sign just now; try again in a moment');
  if (posted.error === 'lookup_failed')
    throw unavailable('the host of the callback URL could not be looked up now; try again later');
  if (posted.error !== null) throw refused(field, publicError(posted.error));
  const returned = readChallenge(posted.body);
  if (returned === null || !sameText(returned, given)) throw refused(field, 'challenge_failed');
  await database.statement((tx) => noteVerified(tx, party, url, new Date(clock.now())));
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

function refused(field: string, reason: PublicError): HearthError {
  return badRequest(`the callback URL did not return the challenge: ${reasons[reason]}`, {
    code: 'callback_challenge_failed',
    field,
    reason,
  });
}
