import { t } from '@hearth/i18n';
import { isUuid } from '@hearth/ids';
import { type Family, listed } from './family.ts';
import { byActor, groupName, nameOf } from './words.ts';

/** A request to join, and a failed one, are not in the lists of the other members. */
export const inviteEvents = {
  inviteCreated: {
    activity: ({ group, reusable, itemRef, itemApp, apps }, by) => ({
      action: 'invite.created',
      summary: t('events.invite.created', {
        ...byActor(by),
        group: groupName(group),
        reusable: reusable ? 'yes' : 'other',
      }),
      group: group?.id ?? '',
      subjects: [group?.id ?? '', group?.app ?? '', ...apps],
      itemRef,
      itemApp,
    }),
    ...listed,
    mail: ({ invite, mailed }) =>
      mailed && isUuid(invite) ? { kind: 'invite_mail', id: invite, part: 0 } : null,
  },
  inviteEnded: {
    activity: ({ group, why, person, itemRef, itemApp, apps }) => {
      const ending = endings.find((known) => known === why) ?? 'ended';
      return {
        action: `invite.${noRoom.has(ending) ? 'declined' : ending}`,
        summary: t(`events.invite.${ending}`, {
          whose: person === undefined ? 'none' : 'other',
          person: nameOf(person),
          group: groupName(group),
        }),
        group: group?.id ?? '',
        about: person,
        subjects: [...(person === undefined ? [group?.id ?? ''] : []), group?.app ?? '', ...apps],
        itemRef,
        itemApp,
      };
    },
    ...listed,
  },
  joinAsked: {
    activity: ({ group, person, apps }) => ({
      action: 'join.asked',
      summary: t('events.join.asked', { person: nameOf(person), group: groupName(group) }),
      group: group?.id ?? '',
      about: person,
      subjects: [group?.app ?? '', ...apps],
    }),
    ...listed,
  },
} satisfies Family;

const endings = ['declined', 'withdrawn', 'revoked', 'expired', 'full', 'cannot_join', 'archived'] as const;

/** Everyone had agreed, but the person could not be added when the last one did. */
const noRoom: ReadonlySet<string> = new Set(['full', 'cannot_join', 'archived']);
