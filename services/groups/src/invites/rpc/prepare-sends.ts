import type { MessageInitShape } from '@bufbuild/protobuf';
import { isUuid, printId } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import type { PreparedSendSchema, SendRef, SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { UnaryHandler } from '@hearth/rpc';
import { findGroups, isArchived } from '../../groups/module.ts';
import { reachesByMail } from '../actions/check-reach.ts';
import type { Context } from '../context.ts';
import { findInvite } from '../db/invites.ts';
import { findMail } from '../db/mails.ts';
import { linkOf } from '../domain/invite-code.ts';
import { inviteMail } from '../domain/invite-mail.ts';
import { atMoment } from '../domain/invite-state.ts';

/** Renders invites for email, from their current state. */
export const prepareSends =
  (context: Context): UnaryHandler<typeof SendSourceService.method.prepareSends> =>
  async ({ sends }) => ({ sends: await Promise.all(sends.map((send) => prepare(context, send))) });

type PreparedSend = MessageInitShape<typeof PreparedSendSchema>;

/** Has no content if the invite cannot be used any longer, or may not be sent. */
async function prepare(
  { clock, config, database: { db }, languages, people, rules, sealer }: Context,
  { kind, id }: SendRef,
): Promise<PreparedSend> {
  const wanted = kind === 'invite_mail' && isUuid(id);
  const [mail, stored] = wanted ? await Promise.all([findMail(db, id), findInvite(db, id)]) : [null, null];
  if (mail === null || stored === null) return {};
  const invite = atMoment(stored, clock.now());
  const [[group], organizer] = await Promise.all([
    findGroups(db, [invite.group], []),
    people.findOne(invite.created_by_person),
  ]);
  if (group === undefined || isArchived(group, clock.now())) return {};
  if (invite.status !== 'waiting' || organizer === null) return {};
  if (!(await reachesByMail({ rules }, invite, mail.email))) return {};
  const language = languages.of((await people.byEmail(mail.email)) ?? {});
  const copy = inviteMail(
    {
      home: config.home,
      inviter: organizer.name,
      group: group.name,
      link: linkOf(config.siteUrl, sealer.open(mail.code, `invite.code:${id}`).toString()),
      reusable: invite.reusable,
      expiresAt: invite.expires_at,
      timeZone: group.time_zone || config.timeZone,
    },
    language,
  );
  // A child's handle is never disclosed.
  const reportable = isMinor(organizer) ? printId('per', organizer.id) : `@${organizer.handle}`;
  return {
    content: { case: 'mail', value: { to: mail.email, ...copy, reportable, language: language.tag } },
  };
}
