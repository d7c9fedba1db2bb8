import type { InvitesService } from '@hearth/proto/groups/v1/invites';
import type { Handlers } from '@hearth/rpc';
import type { InvitesContext } from '../context.ts';
import { acceptInvite } from './accept-invite.ts';
import { createInvite } from './create-invite.ts';
import { listInvites } from './list-invites.ts';
import { listWaitingForGuardian } from './list-waiting-for-guardian.ts';
import { peekInvite } from './peek-invite.ts';
import { reviewInvite } from './review-invite.ts';
import { revokeInvite } from './revoke-invite.ts';
import { withdrawJoin } from './withdraw-join.ts';

export type InvitesHandlers = Handlers<typeof InvitesService>;

export function invitesHandlers(context: InvitesContext): InvitesHandlers {
  return {
    createInvite: createInvite(context),
    peekInvite: peekInvite(context),
    acceptInvite: acceptInvite(context),
    reviewInvite: reviewInvite(context),
    withdrawJoin: withdrawJoin(context),
    listInvites: listInvites(context),
    revokeInvite: revokeInvite(context),
    listWaitingForGuardian: listWaitingForGuardian(context),
  };
}
