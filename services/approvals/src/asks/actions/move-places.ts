import type { Tx } from '@hearth/db';
import { badRequest, notFound } from '@hearth/errors';
import type { UnitOfWork } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { readStanding } from '../../contact-rules/module.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import {
  addPlaces,
  changePlace,
  type PlaceChange,
  type RecipientRow,
  removePlaces,
} from '../db/recipients.ts';
import type { Change } from '../domain/apply-change.ts';
import { noticesOf } from '../domain/events.ts';
import { moveToGuardians } from '../domain/guardian-move.ts';
import { settled, settledAlready, statusNow } from '../domain/machine.ts';
import { approvalsTopic } from '../domain/topics.ts';
import { withVoices } from '../domain/voices.ts';
import { recipientRow } from './ask-rows.ts';
import { changeUnsettled } from './change-approval.ts';
import { inInbox } from './place-recipients.ts';
import { personRecipient } from './read-recipients.ts';

/**
 * Passes a place from the AI at the front door on to its person, and notifies them. Idempotent.
 *
 * @param found the place as read a moment ago
 * @throws bad_request (already_settled)
 */
export async function passOn(
  { approvals, clock, people }: Context,
  found: RecipientRow,
  note: string,
  caller: Caller,
): Promise<void> {
  const person = found.person === null ? null : await people.findOne(found.person);
  if (person === null) throw notFound();
  await approvals.locked(found.approval, async (tx, { approval, recipients }) => {
    const status = statusNow(approval, clock.now());
    if (status !== 'waiting') throw settledAlready(status);
    const place = recipients.find(({ position }) => position === found.position);
    if (place === undefined || place.decision !== 'waiting')
      throw badRequest('this was answered already', { code: 'already_settled' });
    if (place.passed_at !== null) return;
    await changePlace(tx, place, { passed_at: new Date(clock.now()), passed_note: note || null });
    await toRequests(tx, approval, place, person, caller);
    tx.wake(approvalsTopic(caller.id));
  });
}

/** Moves places out of a front door whose AI left, so that their people see the ask themselves. */
export async function leaveDoor(context: Context, id: string, positions: readonly number[]): Promise<void> {
  const whole = await context.batched.find(id);
  const facts = await context.people.find(whole?.recipients.flatMap(({ person }) => person ?? []) ?? []);
  await changeUnsettled(context, id, async (approval, recipients, tx) => {
    for (const place of recipients) {
      const person = facts.get(place.person ?? '');
      if (person !== undefined && place.box === 'front_door' && positions.includes(place.position))
        await toRequests(tx, approval, place, person);
    }
    return null;
  });
}

async function toRequests(
  tx: UnitOfWork,
  approval: ApprovalRow,
  place: RecipientRow,
  person: PersonFacts,
  by?: Caller,
): Promise<void> {
  await changePlace(tx, place, { owner: person.id, box: 'requests' });
  tx.announce(...noticesOf(approval, [{ person, child: null }], { by }));
  tx.wake(approvalsTopic(person.id));
}

/**
 * The people who answer for a child: the guardians, the responsible one first; or the former child, once of
 * age.
 */
export interface Family {
  child: PersonFacts;
  answering: readonly PersonFacts[];
  /** uuids of suspended guardians; empty if all are suspended. */
  suspended: readonly string[];
}

/** Replaces former guardians with the current ones. Idempotent. */
export async function moveToFamily(context: Context, id: string, family: Family): Promise<void> {
  await changeUnsettled(context, id, async (approval, recipients, tx) => {
    const keptAway = await blocking(tx, approval, family.answering);
    if (approval.status !== 'waiting') return null;
    const { moves, added, removed, dropped } = moveToGuardians(recipients, {
      child: family.child.id,
      answering: family.answering.map((person) => person.id),
      suspended: family.suspended,
      keptAway,
      askers: [approval.asker, approval.asker_person],
    });
    for (const place of recipients) {
      const to = moves.get(place.position);
      const person = [family.child, ...family.answering].find((one) => one.id === to);
      if (person !== undefined) await takeOver(tx, approval, place, person, family);
    }
    const first = Math.max(...recipients.map(({ position }) => position)) + 1;
    const further = family.answering.filter(({ id }) => added.includes(id));
    const places = further.map((person, index) =>
      recipientRow(context.sealer, approval, inInbox(person, family.child.id), first + index),
    );
    if (places.length > 0) await addPlaces(tx, places);
    tx.announce(
      ...noticesOf(
        approval,
        further.map((person) => ({ person, child: family.child.id })),
      ),
    );
    tx.wake(...added.map(approvalsTopic));
    const why = keptAway.size > 0 ? 'blocked' : 'recipient_gone';
    if (dropped.length > 0) return { act: { kind: 'drop', positions: dropped, why }, by: null };
    return removed.length === 0 ? null : await remove(tx, approval, [...recipients, ...places], removed);
  });
}

/**
 * Removes these recipients. Returns the change that settles the ask if the others have answered; null
 * otherwise.
 */
export async function remove(
  tx: Tx,
  { id, kind, needs, status }: ApprovalRow,
  recipients: RecipientRow[],
  positions: readonly number[],
): Promise<Change | null> {
  await removePlaces(tx, id, positions);
  for (const position of positions)
    recipients.splice(
      recipients.findIndex((recipient) => recipient.position === position),
      1,
    );
  const { status: decision } = settled({
    ...{ status, needs, why: null },
    asked: withVoices({ kind }, recipients),
  });
  if (decision !== 'approved' && decision !== 'declined') return null;
  return { act: { kind: 'settle', position: null, decision }, by: null };
}

/**
 * uuids of the people who block the asker. A join request ignores blocks: the group allowed the person to
 * ask.
 */
async function blocking(
  tx: Tx,
  { asker, asker_person, joiner }: ApprovalRow,
  answering: readonly PersonFacts[],
): Promise<Set<string>> {
  if (joiner !== null) return new Set();
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
  family: Family,
): Promise<void> {
  await changePlace(tx, place, takenBy(place, person, family));
  tx.wake(approvalsTopic(person.id));
  if (place.handling === 'waiting_quietly') return;
  tx.announce(
    ...noticesOf(approval, [{ person, child: person.id === family.child.id ? null : family.child.id }]),
  );
}

/** An ask to a child stays addressed to the child. */
function takenBy(
  { recipient }: RecipientRow,
  person: PersonFacts,
  { child, answering }: Family,
): PlaceChange {
  const holder = { person: person.id, owner: person.id };
  if (recipient !== child.id) {
    const { id, address, name, minor } = personRecipient(person);
    return { ...holder, recipient: id, address, name, minor, guards: child.id };
  }
  // The child answers for themselves: the asker has become their guardian.
  const own = person.id === child.id && answering.every(({ id }) => id !== child.id);
  return { ...holder, box: own ? 'inbox' : 'requests', guards: own ? null : child.id };
}
