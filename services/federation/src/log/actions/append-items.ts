import { hour } from '@hearth/clock';
import { touchDestinations } from '@hearth/outbound';
import type { UnitOfWork } from '@hearth/outbox';
import type { Context } from '../context.ts';
import { type LogEnd, type LogRow, lockLog, writeLog } from '../db/logs.ts';
import {
  appendSent,
  deleteSent,
  findNumbered,
  insertSent,
  listOpen,
  listUnsentOf,
  type SentItem,
} from '../db/sent-items.ts';
import { settled } from '../domain/announcements.ts';
import type { ItemType } from '../domain/item-types.ts';
import type { Draft, ForHome } from './item.ts';
import { type Signing, signedAgain, signedDraft, skipOf } from './sign-item.ts';

export type AppendDeps = Pick<Context, 'clock' | 'home' | 'ids' | 'keyRing'>;

/** The kind of homes in `destinations`. */
export const homeKind = 1;

/** Acts of this home's people and AIs; other types respond to what another home did. */
const ownTypes: ReadonlySet<ItemType> = new Set(['message', 'state', 'act']);

export function signingFor({ clock, home, keyRing }: AppendDeps, destination: string): Signing {
  return { home, destination, key: keyRing.current.pair, now: new Date(clock.now()) };
}

/**
 * Numbers items in a home's log, under the lock of its row, and signs them. Items that already have a number
 * are left out; an unsent item that was erased becomes a skip. Poke the engine with the destination after the
 * commit.
 */
export async function appendItems(
  tx: UnitOfWork,
  parts: AppendDeps,
  destination: string,
  drafts: readonly Draft[],
): Promise<LogRow> {
  const log = await lockLog(tx, destination, parts.ids.uuid());
  const known = await findNumbered(
    tx,
    destination,
    drafts.map(({ event }) => event),
  );
  const fresh = drafts.filter(({ event }) => !known.has(event));
  if (fresh.length === 0) return log;
  const signing = signingFor(parts, destination);
  for (const { type, body } of fresh) {
    const [, erased] = /^r:.*:([^:]+)$/.exec(type === 'erased' ? String(body['id']) : '') ?? [];
    if (erased === undefined) continue;
    for (const item of await listUnsentOf(tx, log, erased)) await replaceBySkip(tx, parts, item, null);
  }
  const epoch = log.epoch || nextEpoch(log, signing.now);
  const items = fresh.map((draft, index) =>
    signedDraft(draft, { epoch, seq: log.lastSeq + 1 + index }, signing),
  );
  await insertSent(tx, items);
  const after = {
    ...{ ...log, epoch, lastSeq: log.lastSeq + items.length, dueAt: log.dueAt ?? signing.now },
    ours: log.ours || fresh.some(({ type }) => ownTypes.has(type)),
  };
  await writeLog(tx, after);
  await touchDestinations(tx, 'federation', homeKind, [log.destination], after.dueAt);
  return after;
}

/** Items for a home, and the end of its log. */
export interface ForEnd extends ForHome {
  end: LogEnd;
}

/**
 * Whether items can be appended to a known log end without reading the log: an `erased` may have to replace
 * unsent items.
 */
export function goBehind({ epoch }: LogEnd, drafts: readonly Draft[]): boolean {
  return epoch > 0 && !drafts.some(({ type }) => type === 'erased');
}

/**
 * `appendItems` for many homes in one statement, without locks. Returns the new log ends; leaves out logs
 * that changed in the meantime or already hold one of the items.
 */
export async function appendAtEnds(
  { database, ...parts }: AppendDeps & Pick<Context, 'database'>,
  all: readonly ForEnd[],
): Promise<Map<string, LogEnd>> {
  const now = new Date(parts.clock.now());
  const appends = all.map(({ home, drafts, end }) => {
    const signing = signingFor(parts, home);
    const { epoch, lastSeq } = end;
    return {
      ...{ home, end },
      items: drafts.map((draft, index) => signedDraft(draft, { epoch, seq: lastSeq + 1 + index }, signing)),
    };
  });
  const appended = await database.statement((tx) => appendSent(tx, appends, now));
  return new Map(
    appends.flatMap(({ home, end, items }) =>
      appended.has(home) ? [[home, { ...end, lastSeq: end.lastSeq + items.length }]] : [],
    ),
  );
}

function nextEpoch({ epoch, renewAbove }: LogRow, now: Date): number {
  return Math.max(epoch + 1, renewAbove + 1, Math.floor(now.getTime() / 1_000));
}

/**
 * Replaces an item that is not sent by a skip.
 *
 * @param why reported to the service; null if the service withdrew it itself
 */
export async function replaceBySkip(
  tx: UnitOfWork,
  parts: AppendDeps,
  item: SentItem,
  why: string | null,
): Promise<SentItem> {
  const skip = skipOf(item, parts.ids.uuid(), signingFor(parts, item.home));
  await deleteSent(tx, [item]);
  await insertSent(tx, [skip]);
  if (why !== null) tx.announce(...settled([{ item, why }]));
  return skip;
}

/** Returns the log with a new epoch due as soon as allowed: at most one an hour. */
export function renewing(log: LogRow, above: number, now: Date): LogRow {
  const earliest = new Date(log.epoch * 1_000 + hour);
  const renewAt = earliest > now && log.epoch > 0 ? earliest : now;
  return { ...log, renewAt, renewAbove: Math.max(log.renewAbove, above), dueAt: renewAt, attempts: 0 };
}

/** Begins a new epoch: the waiting items in order, numbered from 1. */
export async function beginEpoch(
  tx: UnitOfWork,
  parts: AppendDeps,
  log: LogRow,
  given?: number,
): Promise<LogRow> {
  const signing = signingFor(parts, log.home);
  const epoch = given ?? nextEpoch(log, signing.now);
  const open = await listOpen(tx, log);
  const items = open.map((item, index) => signedAgain(item, { epoch, seq: index + 1 }, signing, true));
  await deleteSent(tx, open);
  await insertSent(tx, items);
  const after = {
    ...log,
    epoch,
    lastSeq: items.length,
    settledSeq: 0,
    handedSeq: open.filter(({ seq }) => seq <= log.handedSeq).length,
    renewAt: null,
    renewAbove: 0,
    oneByOne: 0,
  };
  await writeLog(tx, after);
  return after;
}
