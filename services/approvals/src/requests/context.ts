import type { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { Asks } from '../asks/module.ts';
import type { ContactRules } from '../contact-rules/module.ts';

export interface Deps {
  asks: Asks;
  rules: ContactRules;
}

export type Context = HostParts<'homeNames' | 'people'> &
  Deps & {
    messages: Client<typeof RequestMessagesService>;
    invitations: Client<typeof InvitationsService>;
    identity: Client<typeof IdentityService>;
  };
