import { groupName, type Mappers, nameOf, sentence } from './draft.ts';

const endings: Record<string, string> = {
  declined: 'declined',
  withdrawn: 'withdrawn',
  revoked: 'revoked',
  expired: 'expired',
};

/** Who wants to join, and whose wish came to nothing, stands in no list of the other members. */
export const inviteEvents: Mappers = {
  inviteCreated: ({ group, reusable, itemRef, apps }, who) => {
    const what = `an invite${reusable ? ' for several people' : ''} to ${groupName(group)}`;
    return {
      action: 'invite.created',
      summary: sentence(who, `made ${what}`, `Made: ${what}`),
      group: group?.id ?? '',
      subjects: [group?.id ?? '', group?.app ?? '', ...apps],
      itemRef,
    };
  },
  inviteEnded: ({ group, why, person, itemRef, apps }) => {
    const ending = endings[why] ?? 'ended';
    const whose = person === undefined ? '' : ` of ${nameOf(person)}`;
    return {
      action: `invite.${ending}`,
      summary: `An invite${whose} to ${groupName(group)} ${ending === 'expired' || ending === 'ended' ? ending : `was ${ending}`}`,
      group: group?.id ?? '',
      about: person,
      subjects: [...(person === undefined ? [group?.id ?? ''] : []), group?.app ?? '', ...apps],
      itemRef,
    };
  },
  joinAsked: ({ group, person, apps }) => ({
    action: 'join.asked',
    summary: `${nameOf(person)} asked to join ${groupName(group)}`,
    group: group?.id ?? '',
    about: person,
    subjects: [group?.app ?? '', ...apps],
  }),
};
