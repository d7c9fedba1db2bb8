import { declareSizes, tenYearsInDays } from '../declaration.ts';

export const groupSizes = declareSizes({
  groups_a_person: { meaning: 'groups that one person is in', unit: 'groups', value: 1_000, most: 10_000 },
  group_members: { meaning: 'members of one group', unit: 'members', value: 2_000, most: 10_000 },
  group_name_characters: {
    meaning: 'length of a group name',
    unit: 'characters',
    value: 80,
    inBody: true,
  },
  group_reason_characters: {
    meaning: 'length of the reason for removing a member',
    unit: 'characters',
    value: 140,
    inBody: true,
  },
  group_end_days: {
    meaning: 'how far ahead the end date of a group can be',
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
    meaning: 'how long an invite is valid by default',
    unit: 'days',
    value: 7,
    most: tenYearsInDays,
  },
  one_time_invite_days: {
    meaning: 'how far ahead a one-time invite can expire',
    unit: 'days',
    value: 30,
    most: tenYearsInDays,
  },
  reusable_invite_days: {
    meaning: 'how far ahead a reusable link can expire',
    unit: 'days',
    value: 365,
    most: tenYearsInDays,
  },
  invite_uses: { meaning: 'uses of one reusable link', unit: 'uses', value: 500, most: 10_000 },
  usual_invite_uses: {
    meaning: 'uses of one reusable link by default',
    unit: 'uses',
    value: 100,
    most: 10_000,
  },
  open_invites_a_group: { meaning: 'open invites to one group', unit: 'invites', value: 500, most: 10_000 },
  invitee_characters: {
    meaning: "length of the invitee's name on an invite",
    unit: 'characters',
    value: 60,
    inBody: true,
  },
  join_note_characters: {
    meaning: 'length of the note with a request to join, and with the reply to it',
    unit: 'characters',
    value: 200,
    inBody: true,
  },
  group_post_characters: {
    meaning: 'length of a group post',
    unit: 'characters',
    value: 4_000,
    inBody: true,
  },
});
