import { HearthError } from '@hearth/errors';
import type { FederationService } from '@hearth/proto/federation/v1/federation';
import type { UnaryHandler } from '@hearth/rpc';
import { signBytes } from '@hearth/signing';
import type { Context } from '../context.ts';
import { refuseWebhook, webhookBytes } from '../domain/webhook-bytes.ts';

/** The largest body of any webhook. */
const maxBodyBytes = 262_144;

/** Signs a webhook with the key that currently signs records. */
export const signWebhook =
  ({ keyRing }: Context): UnaryHandler<typeof FederationService.method.signWebhook> =>
  async ({ id, timestamp, body }) => {
    const refusal = refuseWebhook(id, timestamp, body);
    if (refusal !== null) throw refusal;
    if (body.length > maxBodyBytes) {
      throw new HearthError('too_large', `a webhook has at most ${maxBodyBytes} bytes`, {
        code: 'too_large',
      });
    }
    const signature = signBytes(keyRing.current.pair.privateKey, webhookBytes(id, timestamp, body));
    return { signature: `v1a,${signature.toString('base64')}` };
  };
