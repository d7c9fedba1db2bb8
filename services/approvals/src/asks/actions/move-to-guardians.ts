import type { Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { Event } from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { anyone } from '@hearth/rpc';
import { readStanding } from '../../contact-rules/db/standing.ts';
import { approvalsTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import { openAboutChild, removePlaces, type Taken, takePlace } from '../db/guarded.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { personNotified } from '../domain/events.ts';
import { moveToGuardians } from '../domain/guardian-move.ts';
import { settled } from '../domain/machine.ts';
import { noticesFor } from '../domain/notices.ts';
import { changedPeople } from '../domain/received-events.ts';
import { changeUnsettled } from './change-approval.ts';
import { personRecipient } from './read-recipients.ts';
import { askPath } from './receipt.ts';

const batch = 200;

/** What waits with somebody's guardian goes to the guardian whom they have now. Done again it changes nothing. */
export async function followGuardians(context: Context, events: readonly Event[]): Promise<void> {
  for (const child of changedPeople(events)) await follow(context, child);
}

async function follow(context: Context, id: string): Promise<void> {
  const { db } = context.database;
  let found = await openAboutChild(db, id, null, batch);
  if (found.length === 0) return;
  // Asked anew: what is remembered of people may be older than the event.
  const { results } = await context.peers.people.findPeople({ ids: [id] }, { caller: anyone });
  const child = results[0]?.facts;
  if (child === undefined) return;
  const answering = isMinor(child) ? await guardiansOf(context, child) : [child];
  while (found.length > 0) {
    for (const approval of found) await moveOn(context, approval, child, answering);
    found = await openAboutChild(db, id, found.at(-1) as string, batch);
  }
}

async function guardiansOf({ people }: Context, { guardians }: PersonFacts): Promise<PersonFacts[]> {
  const known = await people.find(guardians);
  return guardians.flatMap((id) => known.get(id) ?? []);
}

async function moveOn(
  context: Context,
  id: string,
  child: PersonFacts,
  answering: readonly PersonFacts[],
): Promise<void> {
  const { outbox } = context;
  let moved: Moved = { events: [], owners: [] };
  await changeUnsettled(context, id, async (approval, recipients, tx) => {
    const keptAway = await blocking(tx, approval, answering);
    const { moves, removed, dropped } = moveToGuardians(recipients, {
      child: child.id,
      answering: answering.map((one) => one.id),
      keptAway,
      askers: [approval.asker, approval.asker_person],
    });
    moved = await takeOver(context, tx, approval, recipients, moves, child, answering);
    if (removed.length > 0) await removePlaces(tx, id, removed);
    if (dropped.length === 0) return null;
    const why = keptAway.size > 0 ? 'blocked' : 'recipient_gone';
    return { act: { kind: 'drop', positions: dropped, why }, by: null };
  });
  if (moved.events.length > 0) outbox.committed(moved.events);
  outbox.wake(moved.owners.map(approvalsTopic));
  await settleAnswered(context, id);
}

/** uuids of those who block whoever asked. Who wants to join a group is let ask for it by the group. */
async function blocking(
  tx: Tx,
  { kind, asker, asker_person }: ApprovalRow,
  answering: readonly PersonFacts[],
): Promise<Set<string>> {
  if (kind === 'join_request') return new Set();
  const targetIds = [asker, asker_person].filter((one) => one !== null);
  const blocks = answering.map(({ id }) => ({ owners: [id], targetIds, targets: [] }));
  const { blocked } = await readStanding(tx, { people: [], blocks, pairs: [] });
  return new Set(answering.flatMap(({ id }, index) => (blocked[index] ? [id] : [])));
}

interface Moved {
  events: OutboxRow[];
  /** uuids of those in whose lists it stands now. */
  owners: string[];
}

async function takeOver(
  { outbox }: Context,
  tx: Tx,
  approval: ApprovalRow,
  recipients: readonly RecipientRow[],
  moves: ReadonlyMap<number, string>,
  child: PersonFacts,
  answering: readonly PersonFacts[],
): Promise<Moved> {
  const moved: Moved = { events: [], owners: [] };
  for (const place of recipients) {
    const to = moves.get(place.position);
    const person = [child, ...answering].find(({ id }) => id === to);
    if (person === undefined) continue;
    await takePlace(tx, place, takenBy(place, person, child));
    moved.owners.push(person.id);
    if (place.handling === 'waiting_quietly') continue;
    const told = { person, child: person.id === child.id ? null : child.id };
    moved.events.push(
      ...noticesFor(approval, [told], askPath(approval.id)).map((one) =>
        personNotified(outbox, one, undefined),
      ),
    );
  }
  if (moved.events.length > 0) await outbox.announce(tx, moved.events);
  return moved;
}

/** What is asked of somebody under 18 stays addressed to them, whoever answers it. */
function takenBy(place: RecipientRow, person: PersonFacts, child: PersonFacts): Taken {
  const whose = { person: person.id, owner: person.id };
  if (place.recipient !== child.id) {
    const { id: recipient, address, name, minor } = personRecipient(person);
    return { ...whose, recipient, address, name, minor, box: place.box, guards: child.id };
  }
  const { recipient, address, name, minor } = place;
  // Who asked guards them by now.
  const own = person.id === child.id && isMinor(child);
  return {
    ...whose,
    recipient,
    address,
    name,
    minor,
    box: own ? 'inbox' : 'requests',
    guards: own ? null : child.id,
  };
}

/** Without those who are asked no more, those who answered may be all. */
async function settleAnswered(context: Context, id: string): Promise<void> {
  await changeUnsettled(context, id, ({ needs, status }, asked) => {
    const after = settled({ status, needs, why: null, asked }).status;
    if (status !== 'waiting' || (after !== 'approved' && after !== 'declined')) return null;
    return { act: { kind: 'settle', position: null, decision: after }, by: null };
  });
}
