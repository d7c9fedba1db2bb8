import { second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import type { FederationService } from '@hearth/proto/federation/v1/federation';
import { anonymous, type Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { addressedTo, signStandard } from '@hearth/webhooks';
import type { Outbound, Posted, Posting } from '../domain/outbound.ts';

export type SigningContext = Pick<Host, 'clock' | 'log'> & {
  federation: Pick<Client<typeof FederationService>, 'signWebhook'>;
  outbound: Pick<Outbound, 'post'>;
};

/** A message in the form of Standard Webhooks. */
export interface SignedMessage extends Omit<Posting, 'headers' | 'body'> {
  /** The id that receivers see: evt_..., msg_gap_..., apr_... */
  id: string;
  /** A JSON object. */
  body: string;
  /** Secrets shared with the receiver. */
  secrets?: readonly Uint8Array[];
  /** Additional headers. */
  headers?: Posting['headers'];
}

/**
 * Posts a message, signed now with each secret and with the home's own key. The body names its receiver, so
 * that one receiver cannot replay it to another. Returns null if the home cannot sign at the moment, or the
 * post was given up.
 */
export async function postSigned(context: SigningContext, message: SignedMessage): Promise<Posted | null> {
  const { id, secrets = [], headers, ...posting } = message;
  const body = addressedTo(message.url, message.body);
  const unixSeconds = Math.floor(context.clock.now() / second);
  const own = await signAsHome(context, { id, unixSeconds, body });
  if (own === null) return null;
  const signed = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': [...signStandard(secrets, { id, unixSeconds, body }), own].join(' '),
    ...headers,
  };
  return await context.outbound.post({ ...posting, headers: signed, body });
}

async function signAsHome(
  { federation, log }: SigningContext,
  { id, unixSeconds, body }: { id: string; unixSeconds: number; body: string },
): Promise<string | null> {
  try {
    const request = { id, timestamp: BigInt(unixSeconds), body: Buffer.from(body) };
    return (await federation.signWebhook(request, { caller: anonymous })).signature;
  } catch (err) {
    if (!isHearthError(err)) throw err;
    log.warn({ err }, 'a message could not be signed and waits');
    return null;
  }
}
