import { isMinor } from '@hearth/people';
import { anonymous } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import { changedPeople } from '../../shared/domain/event-ids.ts';
import { nextHolder } from '../actions/check-reach.ts';
import { withGuardians } from '../actions/invite-machine.ts';
import { moveInvite } from '../actions/move-invite.ts';
import type { Context } from '../context.ts';
import { heldByGuardians } from '../db/held-invites.ts';

/** Moves invites that wait with a former guardian to the new one, and to the recipient once they are of age. */
export const onGuardiansChanged = (context: Context) => async (events: ReceivedEvent[]) => {
  for (const child of changedPeople(events)) {
    const held = await heldByGuardians(context.database.db, child);
    if (held.length === 0) continue;
    // Not from the cache: it may be older than the event.
    const { results } = await context.identity.findPeople({ ids: [child] }, { caller: anonymous });
    const facts = results[0]?.facts;
    if (facts === undefined) continue;
    const invited = await withGuardians(context, facts);
    for (const invite of held) {
      if (isMinor(facts) && facts.guardians.includes(invite.holder)) continue;
      await moveInvite(context, invite, invited, await nextHolder(context, invite, facts));
    }
  }
};
