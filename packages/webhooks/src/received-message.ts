import { createPublicKey, verify } from 'node:crypto';
import { sameText, signStandard } from './standard-signature.ts';
import { mostSecondsOff } from './svc-signature.ts';

/**
 * Adds the receiver's URL to the body as its first member. The home signs for all its receivers with the same
 * key, so the body must name its receiver.
 *
 * @param body the JSON of an object
 */
export function addressedTo(url: string, body: string): string {
  const rest = body.slice(1);
  return `{"to":${JSON.stringify(url)}${rest === '}' ? '' : ','}${rest}`;
}

/** A message as received. */
export interface ReceivedMessage {
  /** The header webhook-id. */
  id: string;
  /** The header webhook-timestamp. */
  timestamp: string;
  /** The header webhook-signature. */
  signature: string;
  body: string;
}

export interface Receiver {
  /** The receiver's own URL, as registered with the home. */
  to: string;
  /** The receiver's clock, in seconds since 1970. */
  unixSeconds: number;
  /** The secrets that it shares with the home; none for the callback of an ask. */
  secrets?: readonly Uint8Array[];
  /** The keys of webhook_jwks. */
  keys?: readonly { kty: string; crv: string; x: string }[];
}

/** Why a message is not authentic for this receiver; null if it is. One valid signature suffices. */
export function receivedProblem(message: ReceivedMessage, receiver: Receiver): string | null {
  const { id, timestamp, signature, body } = message;
  if (!/^\d{1,15}$/.test(timestamp)) return 'webhook-timestamp is no number of seconds';
  const unixSeconds = Number(timestamp);
  if (Math.abs(receiver.unixSeconds - unixSeconds) > mostSecondsOff)
    return 'it was sent more than five minutes off';
  const own = signStandard(receiver.secrets ?? [], { id, unixSeconds, body });
  const signed = Buffer.from(`${id}.${timestamp}.${body}`);
  const fits = signature
    .split(' ')
    .some((word) => own.some((one) => sameText(one, word)) || isByKey(word, signed, receiver.keys ?? []));
  if (!fits) return 'no signature fits';
  return receiverIn(body) === receiver.to ? null : 'it is for another receiver';
}

function isByKey(word: string, signed: Buffer, keys: NonNullable<Receiver['keys']>): boolean {
  const bytes = /^v1a,([A-Za-z0-9+/]{86}==)$/.exec(word)?.[1];
  if (bytes === undefined) return false;
  return keys.some(({ kty, crv, x }) =>
    verify(
      null,
      signed,
      createPublicKey({ key: { kty, crv, x }, format: 'jwk' }),
      Buffer.from(bytes, 'base64'),
    ),
  );
}

function receiverIn(body: string): unknown {
  try {
    return (JSON.parse(body) as { to?: unknown } | null)?.to;
  } catch {
    return undefined;
  }
}
