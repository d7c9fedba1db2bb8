import { callerKindOf } from '@hearth/limits';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Call } from '@hearth/rpc';
import { linkOf } from '../../domain/invite-code.ts';
import { inviteMail } from '../../domain/invite-mail.ts';
import type { InvitesContext } from '../../invites-context.ts';
import type { NewInvite } from './store-invite.ts';

export interface Mailed {
  invite: NewInvite;
  code: string;
  group: { name: string };
  organizer: PersonFacts;
}

/**
 * Sends an invite to an e-mail address, before it is stored: an invite that nobody got is never made.
 *
 * @throws rate_limited; bad_field for what is no e-mail address; unavailable when the mail cannot be sent
 */
export async function mailInvite(
  { homeName, limiter, mail, siteUrl }: InvitesContext,
  to: string,
  { invite, code, group, organizer }: Mailed,
  call: Call,
): Promise<void> {
  await limiter.consume('invite_mails_a_day', organizer.id, callerKindOf(call.caller));
  const { reusable, expires_at: expiresAt } = invite;
  const words = inviteMail({
    home: homeName,
    inviter: organizer.name,
    group: group.name,
    link: linkOf(siteUrl, code),
    reusable,
    expiresAt,
  });
  await mail.sendMail({ to, ...words, kind: 'invite' }, { call });
}
