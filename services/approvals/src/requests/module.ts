import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { Host } from '@hearth/runtime';
import type { Context } from '../asks/context.ts';
import { requestsHandlers } from './rpc/index.ts';

/** What waits for a person from those they do not know yet, whom they block, and what they report. */
export function startRequestsBox(host: Host, context: Context): void {
  host.serve(
    RequestsService,
    requestsHandlers({
      ...context,
      messages: host.peer('messages', RequestMessagesService),
      invitations: host.peer('groups', InvitationsService),
      ais: host.peer('identity', AisService),
    }),
  );
}
