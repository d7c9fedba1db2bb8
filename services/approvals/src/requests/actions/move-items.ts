import type { MessageInitShape } from '@bufbuild/protobuf';
import { homesAbove } from '@hearth/addresses';
import { isMinor } from '@hearth/people';
import type { MoveItemsRequestSchema } from '@hearth/proto/approvals/v1/items';
import { anonymous } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findBlocksAmong } from '../db/blocks.ts';
import { findConcerned, type ItemRow } from '../db/items.ts';
import { forgetNotice } from '../db/request-notices.ts';
import { keyOf } from '../domain/items.ts';
import { type Answering, answeringFor, type Change, hasLeft, misplaced } from '../domain/moves.ts';
import { writeAnswer } from './note-changes.ts';

const batch = 200;

/** Ends and moves the items that a change affects. Idempotent. */
export async function followChange(context: Context, change: Change): Promise<void> {
  const { db } = context.database;
  switch (change.what) {
    case 'deleted':
      return await endPerson(context, change.person);
    case 'revoked':
      await move(context, await findConcerned(db, 'asked', change.ai), gone);
      return await move(context, await findConcerned(db, 'door', change.ai), toOwner);
    case 'door':
      return await lookAtDoor(context, change.ai);
    case 'hands':
      return await changeHands(context, change);
    case 'rules':
      return await lookAtRules(context, change.person);
    case 'family':
      return await moveFamily(context, change.child);
    case 'blocked': {
      const sent = await findConcerned(db, 'sent', change.person, change.sender);
      return await move(context, sent.filter(cameBefore(change)), { case: 'end', value: 'blocked' });
    }
    case 'blocked_home': {
      const waiting = (await findConcerned(db, 'person', change.person)).filter(cameBefore(change));
      const blocked = await sendersBelow(context, change.home, waiting);
      const sent = waiting.filter(({ senders }) => senders.some((id) => blocked.has(id)));
      return await move(context, sent, { case: 'end', value: 'blocked' });
    }
  }
}

/** Items that arrived later were sent after the block was lifted. */
const cameBefore =
  ({ before }: { before?: Date }) =>
  ({ since }: Pick<ItemRow, 'since'>) =>
    before === undefined || since < before;

const mostAsked = 100;

/** uuids of the senders at this home, or at a subdomain of it. */
async function sendersBelow(
  { identity }: Context,
  home: string,
  items: readonly ItemRow[],
): Promise<Set<string>> {
  const ids = [...new Set(items.flatMap(({ senders }) => senders))];
  const below = new Set<string>();
  for (let from = 0; from < ids.length; from += mostAsked) {
    const asked = ids.slice(from, from + mostAsked);
    const { results } = await identity.findProfiles({ ids: asked }, { caller: anonymous });
    for (const [index, { profile }] of results.entries())
      if (profile !== undefined && profile.home !== '' && homesAbove(profile.home).includes(home))
        below.add(asked[index]!);
  }
  return below;
}

type Target = NonNullable<MessageInitShape<typeof MoveItemsRequestSchema>['to']>;

const toOwner: Target = { case: 'owner', value: true };
const gone: Target = { case: 'end', value: 'recipient_gone' };

/**
 * Ends a deleted person's items, and items about a deleted child that wait for the guardians. Items that the
 * person held for a child move to the people who answer for the child now.
 */
async function endPerson(context: Context, person: string): Promise<void> {
  const { db } = context.database;
  const rows = await findConcerned(db, 'person', person);
  const children = rows.map(({ owner, subject }) => (owner === person ? (subject ?? person) : owner));
  for (const child of new Set(children)) if (child !== person) await moveFamily(context, child);
  await move(context, await findConcerned(db, 'person', person), gone);
  await move(context, await findConcerned(db, 'child', person), gone);
  await context.database.statement((tx) => forgetNotice(tx, person));
}

/**
 * Moves items away from an AI that is no longer its person's front door: it has another owner, or may not
 * send messages.
 */
async function lookAtDoor(context: Context, ai: string): Promise<void> {
  const rows = await findConcerned(context.database.db, 'door', ai);
  if (rows.length === 0) return;
  const { results } = await context.ais.findAis({ ids: [ai] }, { caller: anonymous });
  const left = rows.filter((row) => hasLeft(row, results[0]?.facts));
  await move(context, left, toOwner);
}

/** Moves items addressed to an AI to its current owner. */
async function changeHands(context: Context, { ai, former }: { ai: string; former: string }): Promise<void> {
  const rows = await findConcerned(context.database.db, 'hands', ai, former || ai);
  if (rows.length === 0) return;
  const { results } = await context.ais.findAis({ ids: [ai] }, { caller: anonymous });
  const facts = results[0]?.facts;
  if (facts === undefined || facts.revoked) return;
  const left = rows.filter(({ owner }) => owner !== facts.owner);
  if (left.length === 0) return;
  const { owner } = facts;
  const people =
    owner === '' ? [] : (await context.facts.findPeople({ ids: [owner] }, { caller: anonymous })).results;
  const person = people[0]?.facts;
  const minor = person !== undefined && isMinor(person);
  await move(context, left, { case: 'hands', value: { ai, owner: person?.id ?? '', minor } });
}

/** Moves items away from a front door that its person replaced or removed. */
async function lookAtRules(context: Context, person: string): Promise<void> {
  const rows = await findConcerned(context.database.db, 'doors', person);
  if (rows.length === 0) return;
  const door = await context.rules.frontDoorOf(person);
  const left = rows.filter(({ holder }) => holder !== door);
  await move(context, left, toOwner);
}

async function moveFamily(context: Context, child: string): Promise<void> {
  const { clock, database, facts } = context;
  const rows = await findConcerned(database.db, 'child', child);
  if (rows.length === 0) return;
  const [person] = (await facts.findPeople({ ids: [child] }, { caller: anonymous })).results;
  if (person?.facts === undefined) return;
  const guardians = await facts.findPeople({ ids: person.facts.guardians }, { caller: anonymous });
  const known = new Map(
    guardians.results.flatMap((each) => (each.facts ? [[each.facts.id, each.facts]] : [])),
  );
  const family = answeringFor(person.facts, known, clock.now());
  const moving = await withoutBlocked(context, misplaced(rows, child, family), family);
  await move(context, moving, { case: 'family', value: { child, ...family } });
}

/** The items without those that stay with a suspended guardian because the next guardian blocks the sender. */
async function withoutBlocked(
  { database }: Context,
  rows: readonly ItemRow[],
  { answering: [next], suspended }: Answering,
): Promise<ItemRow[]> {
  const isSuspended = ({ holder }: ItemRow) => holder !== null && suspended.includes(holder);
  const taken = rows.filter(isSuspended).map((row) => ({ ...row, holder: next ?? null }));
  const blocks = await findBlocksAmong(database.db, taken);
  const blocked = new Set(blocks.flatMap(({ person, sender }) => (person === next ? sender : [])));
  return rows.filter((row) => !isSuspended(row) || !row.senders.some((id) => blocked.has(id)));
}

/** Asks the sources to move these items, and writes the result. */
async function move(context: Context, rows: readonly ItemRow[], to: Target): Promise<void> {
  const { kinds } = context;
  for (const of of batchesOf(rows)) {
    const source = kinds.get(of[0]!.kind)?.source;
    const moved = await source?.moveItems({ keys: of.map(keyOf), to }, { caller: anonymous });
    await writeAnswer(context, moved?.change, of);
  }
}

/** Batches of items with the same kind and owner, up to the size that a source accepts. */
function batchesOf(rows: readonly ItemRow[]): ItemRow[][] {
  const all = Map.groupBy(rows, ({ kind, owner }) => `${kind} ${owner}`).values();
  return [...all].flatMap((of) =>
    Array.from({ length: Math.ceil(of.length / batch) }, (_, index) =>
      of.slice(index * batch, (index + 1) * batch),
    ),
  );
}
