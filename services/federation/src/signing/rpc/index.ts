import type { FederationService } from '@hearth/proto/federation/v1/federation';
import type { Handlers } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { getHomeDocument } from './get-home-document.ts';
import { sign } from './sign.ts';
import { signWebhook } from './sign-webhook.ts';

export function handlers(context: Context): Handlers<typeof FederationService> {
  return {
    sign: sign(context),
    signWebhook: signWebhook(context),
    getHomeDocument: getHomeDocument(context),
  };
}
