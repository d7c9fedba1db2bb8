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

/** A message as Standard Webhooks has it. */
export interface SignedMessage extends Omit<Posting, 'headers' | 'body'> {
  /** As receivers see it: evt_..., msg_gap_..., apr_... */
  id: string;
  /** The JSON of an object. */
  body: string;
  /** Bytes of secrets that its receiver shares. */
  secrets?: readonly Uint8Array[];
  /** Further headers. */
  headers?: Posting['headers'];
}

/**
 * Posts a message, signed now: by each secret, and by the home's own key. It names its receiver, so that none of those can
 * pass it on to another receiver of this home as the home's word. Null when the home cannot sign just now, or it
 * was given up.
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
