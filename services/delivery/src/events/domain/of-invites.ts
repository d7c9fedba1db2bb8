import { isUuid } from '@hearth/ids';
import { type Family, listed } from './family.ts';
import { groupName, nameOf, sentence } from './words.ts';

/** A request to join, and one that came to nothing, stand in no list of the other members. */
export const inviteEvents = {
  inviteCreated: {
    activity: ({ group, reusable, itemRef, itemApp, apps }, { who }) => {
      const what = `an invite${reusable ? ' for several people' : ''} to ${groupName(group)}`;
      return {
        action: 'invite.created',
        summary: sentence(who, `made ${what}`, `Made: ${what}`),
        group: group?.id ?? '',
        subjects: [group?.id ?? '', group?.app ?? '', ...apps],
        itemRef,
        itemApp,
      };
    },
    ...listed,
    mail: ({ invite, mailed }) =>
      mailed && isUuid(invite) ? { kind: 'invite_mail', id: invite, part: 0 } : null,
  },
  inviteEnded: {
    activity: ({ group, why, person, itemRef, itemApp, apps }) => {
      const ending = endings[why] ?? { action: 'ended', words: 'ended' };
      const whose = person === undefined ? '' : ` of ${nameOf(person)}`;
      return {
        action: `invite.${ending.action}`,
        summary: `An invite${whose} to ${groupName(group)} ${ending.words}`,
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
      summary: `${nameOf(person)} asked to join ${groupName(group)}`,
      group: group?.id ?? '',
      about: person,
      subjects: [group?.app ?? '', ...apps],
    }),
    ...listed,
  },
} satisfies Family;

interface Ending {
  action: string;
  words: string;
}

const noRoom = (words: string): Ending => ({ action: 'declined', words: `came to nothing: ${words}` });

const endings: Record<string, Ending> = {
  declined: { action: 'declined', words: 'was declined' },
  withdrawn: { action: 'withdrawn', words: 'was withdrawn' },
  revoked: { action: 'revoked', words: 'was revoked' },
  expired: { action: 'expired', words: 'expired' },
  // Everyone had agreed, and the person could not be let in when the last one did.
  full: noRoom('the group was full'),
  cannot_join: noRoom('they could not join any more'),
  archived: noRoom('the group was archived'),
};
