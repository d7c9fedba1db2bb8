import type { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { Client } from '@hearth/rpc';
import type { Context } from '../asks/context.ts';

/** What the rpcs of the requests box, of blocks and of reports work with, beside what those of approvals do. */
export interface RequestsContext extends Context {
  /** Messages that wait. */
  messages: Client<typeof RequestMessagesService>;
  /** Invites that wait. */
  invitations: Client<typeof InvitationsService>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
}
