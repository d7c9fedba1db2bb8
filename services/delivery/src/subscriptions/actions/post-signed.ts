import { type Clock, second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import type { GuardedHttp } from '@hearth/guarded-http';
import type { FederationService } from '@hearth/proto/federation/v1/federation';
import { anyone, type Client } from '@hearth/rpc';
import type { Logger } from '@hearth/telemetry';
import { signStandard } from '@hearth/webhooks';
import { post } from '../../outbound/actions/post.ts';
import type { Posted } from '../../shared/domain/outbound-kind.ts';

export interface SigningContext {
  clock: Clock;
  http: Pick<GuardedHttp, 'request'>;
  federation: Pick<Client<typeof FederationService>, 'signWebhook'>;
  log: Logger;
}

/** A message to the address of a subscription. */
export interface SignedMessage {
  /** As receivers see it: evt_..., msg_gap_... */
  id: string;
  body: string;
  url: string;
  /** sub_... */
  subscription: string;
  /** Bytes of the present secret, and of the one before while both sign. */
  secrets: readonly Uint8Array[];
  timeoutMs: number;
  signal: AbortSignal;
  maxResponseBytes?: number;
}

/**
 * Posts a message as Standard Webhooks has it, signed now: by each secret, and by the home's own key. Null when nobody
 * signs for the home just now, or it was given up.
 */
export async function postSigned(context: SigningContext, message: SignedMessage): Promise<Posted | null> {
  const { id, body, url, subscription, secrets, ...rest } = message;
  const unixSeconds = Math.floor(context.clock.now() / second);
  const own = await signAsHome(context, { id, unixSeconds, body });
  if (own === null) return null;
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': [...signStandard(secrets, { id, unixSeconds, body }), own].join(' '),
    'x-mcp-subscription-id': subscription,
  };
  return await post(context, { url, headers, body, ...rest });
}

async function signAsHome(
  { federation, log }: SigningContext,
  { id, unixSeconds, body }: { id: string; unixSeconds: number; body: string },
): Promise<string | null> {
  try {
    const request = { id, timestamp: BigInt(unixSeconds), body: Buffer.from(body) };
    return (await federation.signWebhook(request, { caller: anyone })).signature;
  } catch (err) {
    if (!isHearthError(err)) throw err;
    log.warn({ err }, 'a message could not be signed and waits');
    return null;
  }
}
