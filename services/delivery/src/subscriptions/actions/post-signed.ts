import { second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { anonymous } from '@hearth/rpc';
import { signStandard } from '@hearth/webhooks';
import type { Posted } from '../../shared/domain/outbound.ts';
import type { Context } from '../context.ts';

export type SigningContext = Pick<Context, 'clock' | 'federation' | 'log'> & {
  outbound: Pick<Context['outbound'], 'post'>;
};

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
 * Posts a message as Standard Webhooks has it, signed now: by each secret, and by the home's own key. Null when the
 * home cannot sign just now, or it was given up.
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
  return await context.outbound.post({ url, headers, body, ...rest });
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
