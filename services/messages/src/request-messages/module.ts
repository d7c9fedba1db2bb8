import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { Host } from '@hearth/runtime';
import { onBlockChanged } from './consumers/on-block-changed.ts';
import { onHolderChanged } from './consumers/on-holder-changed.ts';
import type { Context } from './context.ts';

/** The messages that wait in requests, for the service that keeps the requests box. */
export async function startRequestMessages(host: Host): Promise<void> {
  const context: Context = {
    ...host,
    ais: host.peer('identity', AisService),
    identity: host.peer('identity', PeopleService),
  };
  await host.serveRpcs(RequestMessagesService, import.meta.url, context);
  host.consume(onBlockChanged(context));
  host.consume(onHolderChanged(context));
}
