import { nowDate } from '@hearth/clock';
import type { ReceivedEvent } from '@hearth/runtime';
import { idsIn } from '../../shared/domain/event-ids.ts';
import { lookAgain } from '../actions/look-again.ts';
import type { Context } from '../context.ts';
import { listMisplaced } from '../db/items.ts';

/** An invite between people who share a group, or into an archived group, waits in no requests. */
export const onGroupsChanged = (context: Context) => async (events: ReceivedEvent[]) => {
  const { clock, database } = context;
  const people = idsIn(events, ({ data }) =>
    data.case === 'memberJoined' || data.case === 'memberLeft' || data.case === 'memberRemoved'
      ? [data.value.person?.id]
      : [],
  );
  const groups = idsIn(events, ({ data }) =>
    data.case === 'groupArchived' || (data.case === 'groupUpdated' && data.value.changed.includes('archived'))
      ? [data.value.group?.id]
      : [],
  );
  if (people.length + groups.length === 0) return;
  await lookAgain(context, await listMisplaced(database.db, { people, groups }, nowDate(clock)));
};
