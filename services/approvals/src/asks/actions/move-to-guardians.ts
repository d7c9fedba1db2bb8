import type { Tx } from '@hearth/db';
import type { UnitOfWork } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { anonymous } from '@hearth/rpc';
import { readStanding } from '../../contact-rules/module.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import { openAboutChild, removePlaces, type Taken, takePlace } from '../db/guarded.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { noticesOf } from '../domain/events.ts';
import { moveToGuardians as movesOf } from '../domain/guardian-move.ts';
import { settled } from '../domain/machine.ts';
import { approvalsTopic } from '../domain/topics.ts';
import { changeUnsettled } from './change-approval.ts';
import { personRecipient } from './read-recipients.ts';

const batch = 200;

/** Moves the asks that wait for a guardian of that child (uuid) to the present guardian. Repeated it changes nothing. */
export async function moveToGuardians(context: Context, id: string): Promise<void> {
  const { database, peers, people } = context;
  let found = await openAboutChild(database.db, id, null, batch);
  if (found.length === 0) return;
  // Asked anew: cached people may be older than the event.
  const { results } = await peers.people.findPeople({ ids: [id] }, { caller: anonymous });
  const child = results[0]?.facts;
  if (child === undefined) return;
  const known = await people.find(child.guardians);
  const guardians = child.guardians.flatMap((guardian) => known.get(guardian) ?? []);
  const family = { child, answering: isMinor(child) ? guardians : [child] };
  while (found.length > 0) {
    for (const approval of found) await moveOn(context, approval, family);
    found = await openAboutChild(database.db, id, found.at(-1) as string, batch);
  }
}

interface Family {
  child: PersonFacts;
  /** The guardians, the responsible one first; once the child is of age, the child. */
  answering: readonly PersonFacts[];
}

async function moveOn(context: Context, id: string, family: Family): Promise<void> {
  await changeUnsettled(context, id, async (approval, recipients, tx) => {
    const keptAway = await blocking(tx, approval, family.answering);
    const { moves, removed, dropped } = movesOf(recipients, {
      child: family.child.id,
      answering: family.answering.map((one) => one.id),
      keptAway,
      askers: [approval.asker, approval.asker_person],
    });
    for (const place of recipients) {
      const to = moves.get(place.position);
      const person = [family.child, ...family.answering].find((one) => one.id === to);
      if (person !== undefined) await takeOver(tx, approval, place, person, family.child);
    }
    if (removed.length > 0) await removePlaces(tx, id, removed);
    if (dropped.length === 0) return null;
    const why = keptAway.size > 0 ? 'blocked' : 'recipient_gone';
    return { act: { kind: 'drop', positions: dropped, why }, by: null };
  });
  await settleAnswered(context, id);
}

/** uuids of those who block the asker. The group lets a person ask to join, so that no block counts then. */
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

async function takeOver(
  tx: UnitOfWork,
  approval: ApprovalRow,
  place: RecipientRow,
  person: PersonFacts,
  child: PersonFacts,
): Promise<void> {
  await takePlace(tx, place, takenBy(place, person, child));
  tx.wake(approvalsTopic(person.id));
  if (place.handling === 'waiting_quietly') return;
  tx.announce(...noticesOf(approval, [{ person, child: person.id === child.id ? null : child.id }]));
}

/** An ask to a child stays addressed to the child. */
function takenBy(place: RecipientRow, person: PersonFacts, child: PersonFacts): Taken {
  const holder = { person: person.id, owner: person.id };
  if (place.recipient !== child.id) {
    const { id: recipient, address, name, minor } = personRecipient(person);
    return { ...holder, recipient, address, name, minor, box: place.box, guards: child.id };
  }
  const { recipient, address, name, minor } = place;
  // The asker guards the child by now.
  const own = person.id === child.id && isMinor(child);
  const box = own ? 'inbox' : 'requests';
  return { ...holder, recipient, address, name, minor, box, guards: own ? null : child.id };
}

/** The remaining recipients may all have answered. */
async function settleAnswered(context: Context, id: string): Promise<void> {
  await changeUnsettled(context, id, ({ needs, status }, asked) => {
    const after = settled({ status, needs, why: null, asked }).status;
    if (status !== 'waiting' || (after !== 'approved' && after !== 'declined')) return null;
    return { act: { kind: 'settle', position: null, decision: after }, by: null };
  });
}
