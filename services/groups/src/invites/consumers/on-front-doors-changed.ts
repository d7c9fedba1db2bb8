import type { Event } from '@hearth/proto/events/v1/events';
import { Scope } from '@hearth/proto/options';
import { anonymous } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import { idsIn } from '../../shared/domain/event-ids.ts';
import { withGuardians } from '../actions/invite-machine.ts';
import { moveInvite } from '../actions/move-invite.ts';
import type { Context } from '../context.ts';
import { heldAtDoors } from '../db/held-invites.ts';

/** Moves invites at a front door to the recipient when the AI there is not theirs any more, or may not send messages. */
export const onFrontDoorsChanged = (context: Context) => async (events: ReceivedEvent[]) => {
  const { ais, database, people } = context;
  const held = await heldAtDoors(database.db, idsIn(events, changedAi));
  if (held.length === 0) return;
  const ids = [...new Set(held.map(({ holder }) => holder))];
  const { results } = await ais.findAis({ ids }, { caller: anonymous });
  for (const invite of held) {
    const ai = results[ids.indexOf(invite.holder)]?.facts;
    const mayMessage = ai?.revoked === false && ai.permissions.includes(Scope.MESSAGE);
    const facts = mayMessage && ai.owner === invite.to_person ? null : await people.findOne(invite.to_person);
    if (facts !== null) await moveInvite(context, invite, await withGuardians(context, facts), null);
  }
};

function changedAi({ data }: Event): (string | undefined)[] {
  switch (data.case) {
    case 'aiRevoked':
    case 'aiChanged':
      return [data.value.ai];
    case 'aiUnclaimed':
    case 'aiClaimed':
      return [data.value.ai?.id];
    default:
      return [];
  }
}
