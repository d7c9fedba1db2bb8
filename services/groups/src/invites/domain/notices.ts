import { type Text, t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import { isMinor, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { GroupRow } from '../../groups/module.ts';
import type { Notice } from '../../shared/domain/notice.ts';
import type { InviteRow } from '../db/invites.ts';
import type { PersonWithGuardians } from './events.ts';
import type { NoEntry } from './invite-state.ts';
import { joinRequestId } from './join-request-id.ts';

type Group = Pick<GroupRow, 'name'>;
type OfJoiner = { invite: Pick<InviteRow, 'id'>; joiner: PersonFacts };
type By = Caller | undefined;

/** Builds a notice. The default link is the front page, which lists a person's pending items. */
function notice(
  item: string,
  title: Text,
  by: By,
  { body = '', link = '/' }: { body?: Text | string; link?: string } = {},
): Notice {
  return { title, body, link, kind: 'invite', item, by };
}

/** The name for a reader who may not know the person. */
const nameOf = (person: PersonFacts) => (isMinor(person) ? shortenName(person.name) : person.name);

/** "You", or the name of a person under 18 to their guardian. */
const whomOf = (person: PersonFacts) =>
  isMinor(person) ? ({ whom: 'other', name: nameOf(person) } as const) : ({ whom: 'you', name: '' } as const);

/** Notice to the recipient. The link contains no code, so it works only for them, signed in. */
export function invited({ name: group }: Group, { id, created_by_name: who }: InviteRow, by: By): Notice {
  const link = `/i/${printId('inv', id)}`;
  return notice(id, t('notices.invited', { who, whom: 'you', name: '', group }), by, { link });
}

/** Notice to the guardian of a recipient under 18 who shares no group with the inviter. */
export function invitedChild(
  { name: group }: Group,
  { id, created_by_name: who }: InviteRow,
  { facts }: PersonWithGuardians,
  by: By,
): Notice {
  const title = t('notices.invited', { who, whom: 'other', name: nameOf(facts), group });
  return notice(id, title, by, { link: '/requests' });
}

/** Notice to the joiner. @param body the organizer's note */
export function letIn(
  { name: group }: Group,
  { invite, joiner }: OfJoiner,
  body: string,
  by: Caller,
): Notice {
  const title = t('notices.join.in', { ...whomOf(joiner), group });
  return notice(joinRequestId(invite.id, joiner.id), title, by, { body });
}

/** Notice to the joiner. @param body the organizer's note, or the reason why it was impossible */
export function notLetIn(
  { name: group }: Group,
  { invite, joiner }: OfJoiner,
  body: Text | string,
  by: By,
): Notice {
  const title = t('notices.join.not-let-in', { ...whomOf(joiner), group });
  return notice(joinRequestId(invite.id, joiner.id), title, by, { body });
}

/** Notice to a joiner who has every approval but could not be taken by the group. @param why or the code of the refusal */
export function foundNoRoom(group: Group, of: OfJoiner, why: string | undefined): Notice {
  const known = impossible.find((code) => code === why) ?? 'other';
  return notLetIn(group, of, t('notices.join.no-room', { ...whomOf(of.joiner), why: known }), undefined);
}

const impossible = ['full', 'archived', 'cap_reached', 'minors_not_allowed'] as const;

/** Notice to a joiner who was waiting when the group was archived. */
export function groupArchived({ name: group }: Group, { invite, joiner }: OfJoiner): Notice {
  const title = t('notices.join.archived', { ...whomOf(joiner), group });
  const body = t('notices.join.archived-more');
  return notice(joinRequestId(invite.id, joiner.id), title, undefined, { body });
}

/** Notice to the approvers. */
export function couldNotBeLetIn({ name: group }: Group, { invite, joiner }: OfJoiner, why: NoEntry): Notice {
  const title = t('notices.join.failed', { name: nameOf(joiner), group });
  const body = t('notices.join.failed-more', { why: whyOf(why) });
  return notice(joinRequestId(invite.id, joiner.id), title, undefined, { body });
}

const whyOf = (why: NoEntry) => (why === 'cannot_join' ? 'other' : why);

/** Notice to the inviter. */
export function cameToNothing(
  { name: group }: Group,
  { id, invitee, why }: InviteRow,
  by: By,
  body = '',
): Notice {
  const named = invitee === '' ? 'no' : 'other';
  return notice(id, t(`notices.invite.${why ?? 'expired'}`, { named, invitee, group }), by, { body });
}
