import { timestampDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import type { ReceivedEvent } from '@hearth/runtime';
import { idsIn } from '../../shared/domain/event-ids.ts';
import { endOfArchived } from '../actions/end-of-archived.ts';
import { endOpenFor } from '../actions/end-open-for.ts';
import { lookAgain } from '../actions/look-again.ts';
import type { Context } from '../context.ts';
import { listMisplaced } from '../db/items.ts';

/**
 * Ends the join requests of an archived group. Also updates requests: an invite between people who now share
 * a group, or into an archived group, no longer waits there; an invite into a group that its recipient joined
 * is used up.
 */
export const onGroupsChanged = (context: Context) => async (events: ReceivedEvent[]) => {
  const { clock, database } = context;
  for (const { event } of events)
    if (event.data.case === 'memberJoined' && event.data.value.group && event.data.value.person)
      await endOpenFor(context, {
        group: event.data.value.group.id,
        person: event.data.value.person.id,
      });
  for (const { event } of events)
    if (event.data.case === 'groupArchived' && event.data.value.group && event.at)
      await endOfArchived(context, event.data.value.group.id, timestampDate(event.at));
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
