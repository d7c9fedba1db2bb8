import { nowDate } from '@hearth/clock';
import type { ReceivedEvent } from '@hearth/runtime';
import { idsIn } from '../../shared/domain/event-ids.ts';
import { followApprovers } from '../actions/follow-approvers.ts';
import { syncJoinApprovals } from '../actions/join-approvals.ts';
import type { Context } from '../context.ts';
import { askAnew } from '../db/join-approvals.ts';

/** Re-asks pending join requests when the group's organizers or the joiner's guardians change. */
export const onApproversChanged = (context: Context) => ({
  durable: 'approvers',
  types: ['member_joined', 'member_left', 'member_removed', 'role_changed', 'person_changed'],
  async handle(events: ReceivedEvent[]) {
    const groups = idsIn(events, ({ data }) =>
      data.case === 'roleChanged' ||
      data.case === 'memberLeft' ||
      data.case === 'memberRemoved' ||
      (data.case === 'memberJoined' && data.value.role === 'organizer')
        ? [data.value.group?.id]
        : [],
    );
    const people = idsIn(events, ({ data }) =>
      data.case === 'personChanged' && data.value.changed.some((field) => asksOthers.has(field))
        ? [data.value.person?.id]
        : [],
    );
    if (groups.length + people.length === 0) return;
    const { clock, database } = context;
    for (const person of people) await followApprovers(context, person);
    const invites = await database.transaction((tx) => askAnew(tx, { groups, people }, nowDate(clock)));
    for (const invite of invites) await syncJoinApprovals(context, invite);
  },
});

const asksOthers = new Set(['guardian', 'age_band']);
