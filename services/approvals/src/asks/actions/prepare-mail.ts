import type { MessageInitShape } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import type { PreparedMailSchema } from '@hearth/proto/delivery/v1/send_sources';
import type { Context } from '../context.ts';
import { statusNow } from '../domain/machine.ts';
import { askMail } from '../domain/mail.ts';
import { askLink, mailKey } from './ask-link.ts';
import { mayMail } from './may-mail.ts';

/**
 * The mail to a recipient by email. Null if nothing is left to answer, if it may not be sent, or if a
 * reminder replaces it.
 */
export async function prepareMail(
  context: Context,
  id: string,
  position: number,
  reminder: boolean,
): Promise<MessageInitShape<typeof PreparedMailSchema> | null> {
  const { batched, clock, config, homeNames, languages, people, sealer } = context;
  const whole = await batched.find(id);
  const recipient = whole?.recipients[position];
  if (recipient?.kind !== 'email' || recipient.decision !== 'waiting') return null;
  const { approval } = whole!;
  if (statusNow(approval, clock.now()) !== 'waiting') return null;
  if (!reminder && approval.reminded_at !== null) return null;
  const { address: to } = recipient;
  if (!(await mayMail(context, approval, to))) return null;
  const language = languages.of((await people.byEmail(to)) ?? {});
  const mail = askMail(
    {
      title: approval.title,
      details: approval.details,
      from_name: approval.asker_name,
      from: approval.asker_minor ? '' : approval.asker_address,
      name_verified: approval.asker_verified,
      group: approval.group_name,
      expires_at: approval.expires_at,
      time_zone: config.timeZone,
      link: askLink(config.siteUrl, id, mailKey(sealer, id, position)),
      home: homeNames.ownHome,
      reminder,
    },
    language,
  );
  return { to, ...mail, reportable: printId('apr', id), language: language.tag };
}
