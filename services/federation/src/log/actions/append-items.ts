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

/** The kind of a home in `destinations`. */
export const homeKind = 1;

/** Acts of people and AIs of this home; the others answer or follow what another home did. */
const ownTypes: ReadonlySet<ItemType> = new Set(['message', 'state', 'act']);

export function signingFor({ clock, home, keyRing }: AppendDeps, destination: string): Signing {
  return { home, destination, key: keyRing.current.pair, now: new Date(clock.now()) };
}

/**
 * Numbers items in the log of a home, under the lock of its row, and signs them. One that was numbered before is left out;
 * what was erased and not sent yet is a skip. Poke the engine with the destination after the commit.
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

/** Items for a home, and where its log ends. */
export interface ForEnd extends ForHome {
  end: LogEnd;
}

/** Whether items can be numbered behind that end without a look at the log: an `erased` may be of what was not sent yet. */
export function goBehind({ epoch }: LogEnd, drafts: readonly Draft[]): boolean {
  return epoch > 0 && !drafts.some(({ type }) => type === 'erased');
}

/**
 * The same for many homes in one statement, without a lock that outlives it. Answers the new ends; none for a log that ends
 * elsewhere by now, or in which one of the items has its number already.
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

/** The item is not sent. @param why the service is told; null where it withdrew it itself */
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

/** The log begins a new epoch as soon as one may: at most one an hour. */
export function renewing(log: LogRow, above: number, now: Date): LogRow {
  const earliest = new Date(log.epoch * 1_000 + hour);
  const renewAt = earliest > now && log.epoch > 0 ? earliest : now;
  return { ...log, renewAt, renewAbove: Math.max(log.renewAbove, above), dueAt: renewAt, attempts: 0 };
}

/** Begins a new epoch with what waits, in its order, from 1. */
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
