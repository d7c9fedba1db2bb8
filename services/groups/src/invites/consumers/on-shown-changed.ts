import { timestampDate } from '@bufbuild/protobuf/wkt';
import { stateDue } from '@hearth/home-acts';
import type { Event } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { listToldOfInvites } from '../db/invites.ts';

/** Other homes are told of the invites to their people when a group or person in them changes, or is gone. */
export const onShownChanged = ({ commit, database }: Pick<Context, 'commit' | 'database'>) => ({
  durable: 'shown-in-invites',
  types: ['group_updated', 'person_changed', 'party_gone'],
  async handle(events: readonly ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      const shown = shownIn(event);
      const invites =
        shown === null ? [] : await listToldOfInvites(database.db, shown, timestampDate(event.at!));
      if (invites.length === 0) continue;
      await commit(async (tx) => {
        for (const id of invites)
          tx.announce({
            ...stateDue('groups', 'invite', id),
            resultOf: { event, name: `state of ${id}` },
          });
      });
    }
  },
});

function shownIn({ data }: Event): Parameters<typeof listToldOfInvites>[1] | null {
  switch (data.case) {
    case 'groupUpdated':
      return { group: data.value.group?.id ?? null };
    case 'personChanged':
      return { person: data.value.person?.id ?? null };
    case 'partyGone':
      return { person: data.value.party };
    default:
      return null;
  }
}
