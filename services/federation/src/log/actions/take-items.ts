import { day, second } from '@hearth/clock';
import type { ServiceName } from '@hearth/runtime';
import type { JsonObject } from '@hearth/signing';
import type { Context } from '../context.ts';
import { lockLog, noteLost, writeLog } from '../db/logs.ts';
import { insertActs, type PlacedAct } from '../db/received-acts.ts';
import {
  findHeld,
  findKnown,
  insertErased,
  insertReceived,
  type KnownOfPush,
  type ReceivedItem,
  storePush,
} from '../db/received-items.ts';
import { findAct } from '../db/sent-items.ts';
import { strangersKeptMs } from '../domain/strangers.ts';
import { appendItems } from './append-items.ts';
import { firstContactsIn, type SigningHome, type Verdict } from './hand-over.ts';
import { answerByHeld, follows, heldFrom, type ItemAnswer, isHeld, type Position } from './held-items.ts';
import { type Draft, equalityDigest, erasedHash } from './item.ts';
import { countItems, countRefusedActs } from './item-budget.ts';
import { resultDraft } from './own-draft.ts';
import { claimedKey, type Refused, type WeighedItem, weighSigned } from './weigh-item.ts';

export interface Taking extends Position {
  /** The home that wrote and sent the items. */
  origin: string;
  /** The network of the sender; absent if this home fetched them. */
  network?: string;
  standing: SigningHome;
  items: readonly JsonObject[];
}

/** The answers to settled items, or the log's position if the push does not follow it. */
export type Taken = { position: Position; results: ItemAnswer[] } | { outOfStep: Position };

const rememberedMs = 400 * day;
const laterMs = 5 * second;

/** An item in progress; `answer` is set once it is settled. */
interface Passing {
  item: JsonObject;
  weighed: WeighedItem | null;
  digest: Buffer;
  service: ServiceName | '';
  answer: ItemAnswer | null;
  verdict: Verdict | null;
}

/**
 * Settles another home's items in order: checks each item, and hands it to the service that handles it. Items
 * that cannot be decided now are stored and decided later. Throws if they cannot be stored, and nothing
 * counts as accepted.
 *
 * @param first the number of the first item
 */
export async function takeItems(context: Context, first: number, taking: Taking): Promise<Taken> {
  const { database, clock } = context;
  const { origin, epoch, items, network, standing } = taking;
  // Any other text identifies nothing, and may hold characters that the database rejects.
  const ids = [...new Set(items.map(({ id }) => id).filter(isReference))];
  const asked = { ids, hashes: ids.map(erasedHash), now: new Date(clock.now()) };
  const known = await findKnown(database.db, origin, asked);
  const before = { epoch: known.inEpoch, seq: known.inSeq };
  if (!follows(before, epoch, first)) {
    // The earlier items were settled here before and are lost; so may be acts of this home.
    if (epoch >= before.epoch) await database.statement((tx) => noteLost(tx, origin, new Date(clock.now())));
    return { outOfStep: before };
  }
  const { isStranger } = known;
  if (network !== undefined) {
    const acts = items.filter(({ type }) => type === 'act').length;
    const { domain } = standing;
    await countItems(context, { origin, domain, network, isStranger, items: items.length, acts });
  }
  const passing = await weighAll(context, taking, known);
  // A result of an unknown act shows that this home lost the act.
  const losesAct = passing.some(({ weighed, service }) => weighed?.type === 'result' && service === '');
  const isLosing = known.losing || losesAct;
  const waiting = isLosing ? passing.map(({ service }) => service) : known.queued;
  await giveAll(context, taking, passing, new Set(waiting));
  const now = new Date(clock.now());
  const last = first + items.length - 1;
  const results: Draft[] = passing.flatMap(({ weighed, verdict }) => {
    if (weighed?.type !== 'act' || verdict?.decision !== 'ok' || verdict.result === null) return [];
    return [resultDraft(weighed.id, verdict.result, now)];
  });
  const rows = passing.flatMap((entry) => toStored(origin, entry, now));
  const erased = passing.filter(
    ({ answer, weighed }) => answer?.status === 'ok' && weighed?.type === 'erased',
  );
  const seq = epoch > before.epoch ? last : Math.max(last, before.seq);
  const position = { epoch, seq };
  const heeded = heed(context, taking, passing);
  // The usual case: one statement.
  const acts = passing.flatMap((entry) => toAct(taking, entry));
  const alone = results.length === 0 && acts.length === 0 && !losesAct && erased.length === 0 && !heeded;
  const moved = { from: before, to: position };
  const atOnce = alone && (await database.statement((tx) => storePush(tx, origin, moved, rows, now)));
  if (!atOnce) {
    const stored = await context.commit(async (tx) => {
      const locked = await lockLog(tx, origin, context.ids.uuid());
      // Another process took items of that home in the meantime.
      if (locked.inEpoch !== before.epoch || locked.inSeq !== before.seq) return null;
      await insertReceived(tx, rows, now);
      await insertActs(tx, origin, acts, now);
      await insertErased(
        tx,
        erased.map(({ weighed }) => erasedHash(weighed!.about)),
        new Date(now.getTime() + (isStranger ? strangersKeptMs : rememberedMs)),
      );
      if (heeded) tx.signal('home_cards', origin);
      // The position of the lost act is unknown.
      const lost = losesAct && { lostEpoch: 0, lostSeq: 0, lostAt: now };
      const log = { ...locked, inEpoch: epoch, inSeq: seq, ...lost };
      await writeLog(tx, log);
      return results.length === 0 ? log : await appendItems(tx, context, origin, results);
    });
    if (stored === null) return await takeItems(context, first, taking);
    if (results.length > 0) context.engine.poke([stored.destination]);
  }
  await countFirstContacts(context, taking, passing);
  await countRefusedActs(context, origin, passing.filter(isRefusedAct).length);
  context.homes.settled(
    origin,
    'received',
    passing.map(({ answer }) => answer!.status),
  );
  return { position, results: passing.map(({ answer }) => answer!) };
}

function isRefusedAct({ weighed, verdict }: Passing): boolean {
  return weighed?.type === 'act' && verdict?.decision === 'ok' && (verdict.result?.status ?? 0) >= 400;
}

/** An item that no service handles is ignored, or was applied at once: it needs no row. */
function toStored(
  home: string,
  { weighed, digest, service, answer, verdict, item }: Passing,
  now: Date,
): ReceivedItem[] {
  if (weighed === null || answer?.status !== 'ok' || service === '') return [];
  const waits = verdict?.decision === 'later' || verdict?.decision === 'away';
  return [
    {
      ...{ home, id: weighed.id, rev: weighed.rev, type: weighed.type, service, digest },
      item: waits ? JSON.stringify(item) : null,
      queued: verdict?.decision === 'away',
      dueAt: waits ? new Date(now.getTime() + laterMs) : null,
    },
  ];
}

/** A refused act changed nothing, and its home does not need it back. */
function toAct({ epoch }: Taking, passing: Passing): PlacedAct[] {
  const { weighed, answer, item } = passing;
  if (weighed?.type !== 'act' || answer?.status !== 'ok' || isRefusedAct(passing)) return [];
  return [{ epoch, seq: item['seq'] as number, id: weighed.id, item: JSON.stringify(item) }];
}

const isReference = (id: unknown): id is string => typeof id === 'string' && /^r:[\x21-\x7e]+$/.test(id);

async function weighAll(context: Context, taking: Taking, known: KnownOfPush): Promise<Passing[]> {
  const { log } = context;
  const { origin, items } = taking;
  const held = heldFrom(known.held, new Set(known.erased));
  const passing: Passing[] = [];
  for (const item of items) {
    const digest = equalityDigest(item);
    const weighed = isHeld(held, item, digest) ? null : await weigh(context, taking, item);
    const answer = answerByHeld(held, { item, digest, weighed });
    if (answer?.code === 'conflict')
      log.error({ home: origin, ...answer }, 'another home sent two items under one id and rev');
    const open = answer === null ? (weighed as WeighedItem) : null;
    const service = open === null ? '' : ((await serviceOf(context, origin, open)) ?? '');
    passing.push({ item, weighed: open, digest, service, answer, verdict: null });
  }
  return passing;
}

/** Applies every check that does not depend on this home's data; returns why the item is refused, if it is. */
async function weigh(context: Context, taking: Taking, item: JsonObject): Promise<WeighedItem | Refused> {
  const { home, homes, devHomes, clock, receivers } = context;
  const { origin, network } = taking;
  const claimed = claimedKey(item, origin);
  if ('code' in claimed) return claimed;
  const key = await homes.keyFor(origin, claimed.kid, 'record', network);
  return weighSigned(item, key.refused ? null : key.listed, {
    ...{ origin, home, devHomes, now: clock.now() },
    isFederated: (operation) => receivers.ofOperation(operation) !== undefined,
    isKind: (kind) => receivers.ofKind(kind) !== undefined,
  });
}

/** Returns the service that handles an item; null if federation handles it itself, or there is nothing to do. */
async function serviceOf(
  { database, receivers }: Context,
  origin: string,
  { type, about }: WeighedItem,
): Promise<ServiceName | null> {
  switch (type) {
    case 'message':
      return receivers.ofMessages;
    case 'state':
      return receivers.ofKind(about)!;
    case 'act':
      return receivers.ofOperation(about)!;
    case 'result':
      return ((await findAct(database.db, origin, about))?.service as ServiceName | undefined) ?? null;
    case 'erased': {
      const held = await findHeld(database.db, origin, [about]);
      return (held[0]?.service as ServiceName | undefined) || null;
    }
    case 'notice':
      return about === 'moved' || about === 'gone' ? 'identity' : null;
    default:
      return null;
  }
}

/** Handles federation's own notices: fetches that home's keys again, and returns whether its cards are outdated. */
function heed({ homes }: Context, { origin }: Taking, passing: readonly Passing[]): boolean {
  const kinds = passing.flatMap(({ weighed, answer }) =>
    weighed?.type === 'notice' && answer?.status === 'ok' ? weighed.about : [],
  );
  if (kinds.includes('key_revoked')) homes.heard(origin);
  return kinds.some((kind) => kind === 'card_changed' || kind === 'moved' || kind === 'gone');
}

/** Hands runs of items to the same service, in order; items wait behind those already queued for the service. */
async function giveAll(
  context: Context,
  taking: Taking,
  passing: readonly Passing[],
  queued: Set<string>,
): Promise<void> {
  const open = passing.filter(({ answer }) => answer === null);
  for (let at = 0; at < open.length; ) {
    const { service } = open[at]!;
    const run = open.slice(at).findIndex((entry) => entry.service !== service);
    const same = open.slice(at, run < 0 ? undefined : at + run);
    at += same.length;
    const verdicts = await verdictsOf(context, taking, service, queued, same);
    for (const [index, entry] of same.entries()) {
      const verdict = verdicts[index]!;
      const { id, rev, to } = entry.weighed!;
      entry.verdict = verdict;
      entry.answer =
        verdict.decision === 'rejected'
          ? { id, rev, status: 'rejected', ...verdict.why }
          : { id, rev, status: 'ok', ...unknownIn(verdict, to, entry.item['to']) };
      if (verdict.decision === 'away') queued.add(service);
    }
  }
}

/** Unknown recipients, as addressed. No leak: a single-recipient item would answer the same. */
function unknownIn(verdict: Verdict, to: readonly string[], named: unknown): Pick<ItemAnswer, 'unknown'> {
  if (verdict.decision !== 'ok' || verdict.unknown.length === 0) return {};
  return { unknown: (named as string[]).filter((_, index) => verdict.unknown.includes(to[index]!)) };
}

async function verdictsOf(
  { handOver }: Context,
  { standing }: Taking,
  service: ServiceName | '',
  queued: ReadonlySet<string>,
  same: readonly Passing[],
): Promise<Verdict[]> {
  if (service === '')
    return same.map(() => ({ decision: 'ok', result: null, firstContacts: 0, unknown: [] }));
  if (queued.has(service)) return same.map(() => ({ decision: 'away' }));
  const items = same.map(({ item, weighed }) => ({ item, weighed: weighed! }));
  return await handOver(service, standing, items);
}

async function countFirstContacts(
  context: Context,
  taking: Taking,
  passing: readonly Passing[],
): Promise<void> {
  const count = firstContactsIn(passing.flatMap(({ verdict }) => verdict ?? []));
  if (count > 0) await context.firstContacts.count(taking.standing.domain, taking.network, count);
}
