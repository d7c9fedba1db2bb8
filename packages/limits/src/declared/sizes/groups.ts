import { declareSizes, tenYearsInDays } from '../declaration.ts';

export const groupSizes = declareSizes({
  groups_a_person: { meaning: 'groups that one person is in', unit: 'groups', value: 1_000, most: 10_000 },
  group_members: { meaning: 'members of one group', unit: 'members', value: 2_000, most: 10_000 },
  group_name_characters: {
    meaning: 'length of the name of a group',
    unit: 'characters',
    value: 80,
    inBody: true,
  },
  group_reason_characters: {
    meaning: 'length of the reason for removing a member from a group',
    unit: 'characters',
    value: 140,
    inBody: true,
  },
  group_end_days: {
    meaning: 'how far ahead the end of a group can be',
    unit: 'days',
    value: 1_826,
    most: 36_500,
  },
  restore_group_days: {
    meaning: 'how long an archived group can be restored',
    unit: 'days',
    value: 30,
    most: tenYearsInDays,
  },
  invite_days: {
    meaning: 'how long an invite holds when nothing else is said',
    unit: 'days',
    value: 7,
    most: tenYearsInDays,
  },
  one_time_invite_days: {
    meaning: 'how far ahead the end of a one-time invite can be',
    unit: 'days',
    value: 30,
    most: tenYearsInDays,
  },
  reusable_invite_days: {
    meaning: 'how far ahead the end of a reusable link can be',
    unit: 'days',
    value: 365,
    most: tenYearsInDays,
  },
  invite_uses: { meaning: 'how often one reusable link can be used', unit: 'uses', value: 500, most: 10_000 },
  usual_invite_uses: {
    meaning: 'how often a reusable link can be used when nothing else is said',
    unit: 'uses',
    value: 100,
    most: 10_000,
  },
  open_invites_a_group: { meaning: 'open invites into one group', unit: 'invites', value: 500, most: 10_000 },
  invitee_characters: {
    meaning: 'length of the name that an invite gives its invitee',
    unit: 'characters',
    value: 60,
    inBody: true,
  },
  join_note_characters: {
    meaning: 'length of the note with a wish to join a group, or with the answer to it',
    unit: 'characters',
    value: 200,
    inBody: true,
  },
  group_post_characters: {
    meaning: 'length of a post to a group',
    unit: 'characters',
    value: 4_000,
    inBody: true,
  },
});
