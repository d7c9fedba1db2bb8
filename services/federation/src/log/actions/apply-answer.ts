import { day, minute, second } from '@hearth/clock';
import { eachOf } from '@hearth/coalesce';
import { fractionOf } from '@hearth/ids';
import type { Outcome } from '@hearth/outbound';
import type { UnitOfWork } from '@hearth/outbox';
import type { Context } from '../context.ts';
import {
  type FailedPush,
  failPushes,
  findLog,
  type LogRow,
  lockLog,
  settlePush,
  writeLog,
} from '../db/logs.ts';
import { deleteSent, insertSent, listOpen, listSince, markSettled } from '../db/sent-items.ts';
import { settled } from '../domain/announcements.ts';
import { troubleOf } from '../domain/trouble.ts';
import { givenUpAfterMs, type Judged, judgeAnswer, pauseAfter } from './answer.ts';
import { beginEpoch, renewing, replaceBySkip, signingFor } from './append-items.ts';
import type { Pushed, PushSend } from './push-kind.ts';
import { signedAgain } from './sign-item.ts';

type ApplyDeps = Omit<Context, 'engine'>;

const everything = 1_000_000;
/** How far an epoch may be ahead of the other home's clock. */
const mostAheadMs = 5 * minute;
/** Logs written concurrently, each on its own connection. */
const logsAtOnce = 4;

/**
 * Writes the outcomes of pushes, and when the next ones are due. Pushes to homes that do not answer fail by
 * the hundred at the same time, so one statement records them all.
 */
export async function applyOutcomes(parts: ApplyDeps, outcomes: readonly Outcome<PushSend>[]): Promise<void> {
  const now = new Date(parts.clock.now());
  const failures = outcomes.flatMap((outcome) => failureOf(parts, outcome, now) ?? []);
  const noted =
    failures.length === 0
      ? new Set<string>()
      : await parts.database.statement((tx) => failPushes(tx, failures));
  const others = outcomes.filter(({ send }) => !noted.has(send.home));
  await eachOf(others, logsAtOnce, (outcome) => applyOutcome(parts, outcome));
}

/** Returns null if more than the next attempt follows: a meaningful answer, or the end of all attempts. */
function failureOf(parts: ApplyDeps, outcome: Outcome<PushSend>, now: Date): FailedPush | null {
  const { home, push, problem } = outcome.send;
  if (outcome.error === null) return null;
  const judged = push === null ? null : judgeAnswer(push, outcome);
  if (judged !== null && (judged.what !== 'again' || judged.holdMs > 0)) return null;
  const next = afterFailure(parts, outcome.send, now);
  if (next === null) return null;
  const lastError = judged === null ? (problem ?? outcome.error) : whyAgain(outcome, judged);
  return { home, epoch: push?.epoch ?? null, ...next, lastError };
}

async function applyOutcome(parts: ApplyDeps, outcome: Outcome<PushSend>): Promise<void> {
  const { home, push } = outcome.send;
  const now = new Date(parts.clock.now());
  const judged = push === null ? null : await asFetched(parts, home, push, judgeAnswer(push, outcome));
  if (judged?.what === 'taken' && (await settleAtOnce(parts, home, push!, judged, now))) return;
  await parts.commit(async (tx) => {
    const log = await lockLog(tx, home, outcome.send.destination);
    await writeLog(tx, await step(tx, { parts, log, now, outcome, push, judged }));
  });
}

/**
 * A home may fetch items while a push is in flight: its answer then has a higher number than the push, but
 * not higher than what this home handed out. Such a push counts as accepted; the items fetched beyond it go
 * out with the next push, as duplicates there.
 */
async function asFetched(
  { database }: ApplyDeps,
  home: string,
  push: Pushed,
  judged: Judged,
): Promise<Judged> {
  if (judged.what !== 'restored' || judged.epoch !== push.epoch || judged.results === null) return judged;
  const log = await findLog(database.db, home);
  if (log?.epoch !== push.epoch || judged.seq > log.handedSeq) return judged;
  return { what: 'taken', seq: push.items.at(-1)!.seq, results: judged.results };
}

/** Applies the usual outcome in one statement. False if the log has moved to another epoch. */
async function settleAtOnce(
  { commit, homes, log, outbox }: ApplyDeps,
  home: string,
  { epoch, items, of }: Pushed,
  { seq, results }: Extract<Judged, { what: 'taken' }>,
  now: Date,
): Promise<boolean> {
  const outcomes = results
    .slice(0, seq - items[0]!.seq + 1)
    .map(({ status, code, fault, unknown }, index) => {
      const why = status === 'rejected' ? code : null;
      if (fault !== '')
        log.warn({ home, id: items[index]!.id, fault }, 'another home refused an item for its form');
      return { item: of[index]!, why, unknown };
    });
  const rows = settled(outcomes).map(outbox.row);
  const written = await commit.statement(async (tx) => {
    if (!(await settlePush(tx, { home, epoch, seq, rows, now }))) return false;
    tx.announced(rows);
    return true;
  });
  if (written)
    homes.settled(
      home,
      'sent',
      outcomes.map(({ why }) => (why === null ? 'ok' : 'rejected')),
    );
  return written;
}

interface Step {
  parts: ApplyDeps;
  log: LogRow;
  now: Date;
  outcome: Outcome<PushSend>;
  push: Pushed | null;
  judged: Judged | null;
}

async function step(tx: UnitOfWork, at: Step): Promise<LogRow> {
  const { parts, log, now, outcome, push, judged } = at;
  if (push === null || judged === null) {
    return outcome.error === null
      ? answered({ ...log, dueAt: dueAfter(log, log.settledSeq, now) })
      : await recordFailure(tx, at, outcome.send.problem ?? outcome.error);
  }
  // The log moved to another epoch while this push was in flight.
  if (push.epoch !== log.epoch || judged.what === 'taken') return { ...log, dueAt: now };
  switch (judged.what) {
    case 'restored':
      parts.log.error(
        { home: log.home, epoch: judged.epoch, from: log.lastSeq + 1, to: judged.seq },
        'another home says that it settled more than this one sent, as after a restore of this home from an older state',
      );
      return await beginAfterRestore(tx, at, judged);
    case 'out_of_step':
      return await outOfStep(tx, at, judged);
    case 'bad_item': {
      const seq = push.items[judged.index]!.seq;
      const [item] = await listSince(tx, log, { after: seq - 1, limit: 1 });
      if (item !== undefined) await replaceBySkip(tx, parts, item, 'bad_item');
      return answered({ ...log, dueAt: now });
    }
    case 'one_by_one':
      if (push.epoch * second > now.getTime() + mostAheadMs) return await epochAhead(tx, at);
      // If a push of one item is refused, that item is at fault.
      if (push.items.length === 1) return await step(tx, { ...at, judged: { what: 'bad_item', index: 0 } });
      return { ...log, oneByOne: push.items.at(-1)!.seq, dueAt: now };
    case 'denied':
      return {
        ...(await recordFailure(tx, at, troubleOf('denied'))),
        ...{ holdUntil: new Date(now.getTime() + day), denied: true },
      };
    case 'again': {
      const next = await recordFailure(tx, at, whyAgain(outcome, judged));
      if (judged.holdMs === 0) return next;
      const holdUntil = new Date(now.getTime() + judged.holdMs);
      return { ...next, holdUntil, dueAt: holdUntil };
    }
  }
}

/**
 * This home's clock was ahead when its log began, and other homes refuse an epoch in the future. If no item
 * was settled yet, the log begins again at the present time.
 */
async function epochAhead(tx: UnitOfWork, at: Step): Promise<LogRow> {
  const { parts, log, now } = at;
  if (log.settledSeq > 0) return await recordFailure(tx, at, 'clock');
  return { ...(await beginEpoch(tx, parts, log, Math.floor(now.getTime() / second))), dueAt: now };
}

function answered(log: LogRow): LogRow {
  return { ...log, attempts: 0, failingSince: null, holdUntil: null, denied: false, lastError: null };
}

/** Items numbered while a push was in flight, or after it found nothing to send, are due at once. */
function dueAfter({ lastSeq }: LogRow, settledSeq: number, now: Date): Date | null {
  return settledSeq < lastSeq ? now : null;
}

/** This home was restored from a backup: begins a new epoch, and tells the operator which items may be lost. */
async function beginAfterRestore(
  tx: UnitOfWork,
  { parts, log, now }: Step,
  theirs: { epoch: number; seq: number },
): Promise<LogRow> {
  const renewed = losing(renewing(answered(log), theirs.epoch, now), now);
  const at = renewed.renewAt!;
  const told = `${log.home} says that it has settled up to ${theirs.seq} in epoch ${theirs.epoch}, and this home knows of ${
    theirs.epoch === log.epoch ? log.lastSeq : 0
  }. If this home was restored from an older state, what its people and AIs sent there in between, and what was done with it, may be lost here${
    at > now
      ? `. What waits for it goes out from ${at.toISOString()} on, for a numbering begins once an hour at most`
      : ''
  }`;
  return await renewIfDue(tx, parts, { ...renewed, restored: told, restoredAt: now }, now);
}

/** Returns the log with its position before the loss, from which lost acts are requested. */
function losing(log: LogRow, now: Date): LogRow {
  if (log.lostEpoch !== null) return log;
  return { ...log, lostEpoch: log.epoch, lostSeq: log.settledSeq, lostAt: now };
}

async function renewIfDue(tx: UnitOfWork, parts: ApplyDeps, log: LogRow, now: Date): Promise<LogRow> {
  if (log.renewAt === null || log.renewAt > now) return log;
  return { ...(await beginEpoch(tx, parts, log)), dueAt: now };
}

async function outOfStep(tx: UnitOfWork, at: Step, theirs: { epoch: number; seq: number }): Promise<LogRow> {
  const { parts, log, now, push } = at;
  if (theirs.epoch > log.epoch) return await beginAfterRestore(tx, at, theirs);
  const has = theirs.epoch === log.epoch ? theirs.seq : 0;
  const first = push!.items[0]!.seq;
  if (has >= first - 1) return await recordFailure(tx, at, troubleOf('out_of_step'));
  // The other home was restored from a backup: what it lost is sent again, as far as it is kept.
  const lost = await listSince(tx, log, { after: has, limit: everything });
  const signing = signingFor(parts, log.home);
  const again = lost.map((item) => (item.settled ? signedAgain(item, item, signing, true) : item));
  await deleteSent(tx, lost);
  await insertSent(tx, again);
  const count = again.filter((item, index) => item !== lost[index]).length;
  const told = `${log.home} says that it has settled up to ${has} of ${log.settledSeq}, as after a restore from an older state; ${count} items are sent again`;
  const seen = log.settledSeq > has ? { restored: told, restoredAt: now } : {};
  const back = answered({ ...log, ...seen, settledSeq: has, dueAt: now });
  if (lost[0]?.seq === has + 1) return back;
  return await renewIfDue(tx, parts, renewing(back, theirs.epoch, now), now);
}

/** Without a meaningful answer, retries later; after 14 days the waiting items are undeliverable. */
async function recordFailure(tx: UnitOfWork, at: Step, why: string): Promise<LogRow> {
  const { parts, log, now } = at;
  const next = afterFailure(parts, log, now);
  if (next === null) return await giveUp(tx, at);
  return { ...log, ...next, lastError: why, holdUntil: null, denied: false };
}

/** Returns null once the waiting items are given up. */
function afterFailure(
  { random }: ApplyDeps,
  before: Pick<LogRow, 'attempts' | 'failingSince'>,
  now: Date,
): Pick<LogRow, 'attempts' | 'failingSince' | 'dueAt'> | null {
  const failingSince = before.failingSince ?? now;
  const failingFor = now.getTime() - failingSince.getTime();
  if (failingFor >= givenUpAfterMs) return null;
  const attempts = before.attempts + 1;
  return {
    attempts,
    failingSince,
    dueAt: new Date(now.getTime() + pauseAfter(attempts, failingFor, fractionOf(random))),
  };
}

function whyAgain({ status, error }: Outcome<PushSend>, { why }: Extract<Judged, { what: 'again' }>): string {
  return troubleOf(status === null ? (error ?? '') : why);
}

async function giveUp(tx: UnitOfWork, { log, now }: Step): Promise<LogRow> {
  const ended = await endOpen(tx, log, now);
  return { ...renewing(answered(ended), log.epoch, now), dueAt: null };
}

/** Ends all waiting items of a home as undeliverable, and announces it to their services. */
export async function endOpen(tx: UnitOfWork, log: LogRow, now: Date): Promise<LogRow> {
  const open = await listOpen(tx, log);
  if (open.length > 0) await markSettled(tx, log, log.lastSeq, now);
  tx.announce(...settled(open.map((item) => ({ item, why: 'not_confirmed' }))));
  return { ...log, settledSeq: log.lastSeq };
}
