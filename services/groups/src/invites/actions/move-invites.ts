import type { OutboxRow } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { Event } from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { anyone } from '@hearth/rpc';
import type { GroupRow } from '../../groups/db/groups.ts';
import { changedAis, changedPeople } from '../../shared/domain/event-ids.ts';
import { invitesTopic } from '../../shared/domain/topics.ts';
import type { InvitesContext } from '../context.ts';
import { type HeldInvite, heldAtDoors, heldByGuardians, holdInvite } from '../db/held-invites.ts';
import type { InviteRow } from '../db/invites.ts';
import { personNotified } from '../domain/events.ts';
import { invitedChild, invited as invitedNotice } from '../domain/notices.ts';
import { reachOf } from '../domain/reach.ts';
import { changeInvite, type Joiner, move, tell, withGuardians } from './change-invite.ts';

/** What waits with somebody's guardian goes to the guardian whom they have now, and to themselves once they are of age. */
export async function followGuardians(context: InvitesContext, events: readonly Event[]): Promise<void> {
  for (const child of changedPeople(events)) {
    const held = await heldByGuardians(context.database.db, child);
    if (held.length === 0) continue;
    // Asked anew: what is remembered of people may be older than the event.
    const { results } = await context.identity.people.findPeople({ ids: [child] }, { caller: anyone });
    const facts = results[0]?.facts;
    if (facts === undefined) continue;
    const invited = await withGuardians(context, facts);
    for (const invite of held) {
      if (isMinor(facts) && facts.guardians.includes(invite.holder)) continue;
      await moveOn(context, invite, invited, await nextHolder(context, invite, facts));
    }
  }
}

/** What waits at a front door goes to the person, once the AI there is theirs no more, or may not send messages. */
export async function followDoors(context: InvitesContext, events: readonly Event[]): Promise<void> {
  const held = await heldAtDoors(context.database.db, changedAis(events));
  if (held.length === 0) return;
  const ais = [...new Set(held.map(({ holder }) => holder))];
  const { results } = await context.identity.ais.findAis({ ids: ais }, { caller: anyone });
  for (const invite of held) {
    const ai = results[ais.indexOf(invite.holder)]?.facts;
    const mayMessage = ai?.revoked === false && ai.permissions.includes(Scope.MESSAGE);
    const facts =
      mayMessage && ai.owner === invite.to_person ? null : await context.people.findOne(invite.to_person);
    if (facts !== null) await moveOn(context, invite, await withGuardians(context, facts), null);
  }
}

/** uuid of a guardian; null for whom it was sent to themselves; undefined where it reaches nobody any more. */
async function nextHolder(
  { rules }: Pick<InvitesContext, 'rules'>,
  invite: HeldInvite,
  facts: PersonFacts,
): Promise<string | null | undefined> {
  if (!isMinor(facts)) return null;
  const reach = reachOf(invite, { person: facts.id, ai: '', count: false });
  const { reached } = await rules.checkReach({ reaches: [reach] }, { caller: anyone });
  // It has been counted; a cap that is full by now does not keep it away. The new guardian's block does.
  return reached[0]?.how === 'turned_away' ? undefined : facts.guardians[0];
}

/** Without a word to whoever sent it. */
async function moveOn(
  context: InvitesContext,
  { id, group, holder }: HeldInvite,
  invited: Joiner,
  next: string | null | undefined,
): Promise<void> {
  const moved = await changeInvite<boolean>(context, { id, group }, async (tx, groupRow, invite) => {
    // Answered, passed on or moved meanwhile.
    if (invite.status !== 'waiting' || invite.holder !== holder) return { result: false, events: [] };
    if (next === undefined) {
      await move(tx, invite, 'declined');
      return { result: true, events: [] };
    }
    await holdInvite(tx, id, next);
    return { result: true, events: noticesOf(context, groupRow, { ...invite, holder: next }, invited) };
  });
  if (!moved) return;
  context.outbox.wake([holder, next ?? invited.facts.id].map(invitesTopic));
}

function noticesOf(
  context: InvitesContext,
  group: GroupRow,
  invite: InviteRow,
  invited: Joiner,
): OutboxRow[] {
  const byItself = undefined;
  if (invite.holder === null) return tell(context, invited, invitedNotice(group, invite, byItself));
  const guardian = invited.guardians.find(({ id }) => id === invite.holder);
  if (guardian === undefined) return [];
  const notice = invitedChild(group, invite, invited, byItself);
  return [personNotified(context.outbox, guardian, invited.facts.id, notice)];
}
