import type { Tx } from '@hearth/db';
import type { HearthError } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { ApprovalSettled } from '@hearth/proto/events/v1/events';
import type { Changed } from '../../groups/actions/change-group.ts';
import type { GroupRow } from '../../groups/db/groups.ts';
import type { InvitesContext } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { type AskRow, noteEnded } from '../db/join-approvals.ts';
import { findJoin, type JoinRow, writeJoin } from '../db/join-requests.ts';
import { inviteEnded } from '../domain/events.ts';
import type { NoEntry } from '../domain/invite-state.ts';
import { cameToNothing, couldNotBeLetIn, foundNoRoom } from '../domain/notices.ts';
import { announcementOf, changeInvite, type Joiner, move, tell, withGuardians } from './change-invite.ts';

/**
 * Ends the wish of somebody for whom the word was given by its approval, and who could not be let in by then: their group
 * was full, or closed to them. The approval is settled and stays so; here nothing of it is left half done, and all whom
 * it concerns are told: who wanted to join, whoever approved it, and who made the invite.
 *
 * @param refusal why they could not be let in
 */
export async function turnBack(
  context: InvitesContext,
  ask: AskRow,
  named: InviteRow,
  settled: Pick<ApprovalSettled, 'answeredBy' | 'status'>,
  refusal: HearthError,
): Promise<void> {
  const { clock, people } = context;
  const facts = await people.findOne(ask.person);
  const joiner = facts === null ? null : await withGuardians(context, facts);
  const join = await findJoin(context.database.db, named.id, ask.person);
  const known = await people.find(
    [settled.answeredBy, join?.organizer ?? '', named.created_by_person].filter((id) => id !== ''),
  );
  await changeInvite<void>(context, named, async (tx, group, invite): Promise<Changed<void>> => {
    const nothing = { result: undefined, events: [] };
    const wanted = settled.status === 'approved' ? 'approved' : 'declined';
    const now = new Date(clock.now());
    if (!(await noteEnded(tx, ask.id, wanted, now))) return nothing;
    const wish = await findJoin(tx, invite.id, ask.person);
    const why = noEntry(refusal);
    if (joiner === null || wish?.status !== 'waiting' || why === null) return nothing;
    const moved = await move(tx, invite, why);
    // Its time is over: all who wait by it end with it.
    if (moved === null) return nothing;
    await writeJoin(tx, { ...wish, status: 'declined', why, ended_at: now });
    const at = { group, invite: moved, joiner, wish, why };
    return { result: undefined, events: await told(context, tx, at, refusal, settled.answeredBy, known) };
  });
}

/** Null where the wish was settled otherwise, or waits until its group is opened again. */
function noEntry({ details: { code, limit } }: HearthError): NoEntry | null {
  if (code === 'cap_reached' && limit === 'group_members') return 'full';
  return code === 'cap_reached' || code === 'minors_not_allowed' || code === 'guardian_needed'
    ? 'cannot_join'
    : null;
}

interface Turned {
  group: GroupRow;
  invite: InviteRow;
  joiner: Joiner;
  wish: JoinRow;
  why: NoEntry;
}

/** Each hears of it once; guardians hear it as those of the joiner. */
async function told(
  context: InvitesContext,
  tx: Tx,
  { group, invite, joiner, wish, why }: Turned,
  refusal: HearthError,
  answeredBy: string,
  known: ReadonlyMap<string, Joiner['facts']>,
): Promise<OutboxRow[]> {
  const { outbox } = context;
  const nobody = undefined;
  const announcement = await announcementOf(tx, group, invite, [joiner.facts], nobody);
  const hears = new Set(isMinor(joiner.facts) ? joiner.guardians.map(({ id }) => id) : [joiner.facts.id]);
  const events = [
    inviteEnded(outbox, announcement, why, joiner.facts),
    ...tell(context, joiner, foundNoRoom(group, { invite, joiner: joiner.facts }, refusal.message)),
  ];
  const others = [
    { id: answeredBy, notice: couldNotBeLetIn(group, { invite, joiner: joiner.facts }, why) },
    { id: wish.organizer ?? '', notice: couldNotBeLetIn(group, { invite, joiner: joiner.facts }, why) },
    { id: invite.created_by_person, notice: cameToNothing(group, invite, nobody) },
  ];
  for (const { id, notice } of others) {
    const person = known.get(id);
    // A link goes on for others, and who made it is not told of each who comes by it.
    const concerns = id !== invite.created_by_person || invite.status === 'declined' || id === answeredBy;
    if (person === undefined || hears.has(id) || !concerns) continue;
    hears.add(id);
    events.push(...tell(context, { facts: person, guardians: [] }, notice));
  }
  return events;
}
