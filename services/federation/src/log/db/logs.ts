import { type Db, fragment, named, type Tx } from '@hearth/db';

/** The logs with one other home, in both directions. */
export interface LogRow {
  home: string;
  /** uuid */
  destination: string;
  epoch: number;
  lastSeq: number;
  settledSeq: number;
  /** The highest number that was pushed, or fetched by the other home. */
  handedSeq: number;
  renewAt: Date | null;
  renewAbove: number;
  attempts: number;
  failingSince: Date | null;
  dueAt: Date | null;
  holdUntil: Date | null;
  denied: boolean;
  lastError: string | null;
  restored: string | null;
  restoredAt: Date | null;
  inEpoch: number;
  inSeq: number;
  /** Whether a message, state or act of this home was sent there. */
  ours: boolean;
  /** Up to this number items go one by one: the other home could not read them together. */
  oneByOne: number;
  /** Position in this home's log after which it lost acts; null if it lost none. */
  lostEpoch: number | null;
  lostSeq: number | null;
  lostAt: Date | null;
}

const columns = fragment`
  home, destination, epoch, last_seq as "lastSeq", settled_seq as "settledSeq",
  handed_seq as "handedSeq", renew_at as "renewAt",
  renew_above as "renewAbove", attempts, failing_since as "failingSince", due_at as "dueAt",
  hold_until as "holdUntil", denied, last_error as "lastError", restored, restored_at as "restoredAt",
  in_epoch as "inEpoch", in_seq as "inSeq", ours,
  one_by_one as "oneByOne", lost_epoch as "lostEpoch", lost_seq as "lostSeq", lost_at as "lostAt"`;

export async function findLog(db: Db, home: string): Promise<LogRow | null> {
  return await db.maybeOne<LogRow>(named('federation_find_log')`
    select ${columns} from federation.logs where home = ${home}`);
}

/** Locks a log until the end of the transaction; creates it if missing. @param destination uuid for a new log */
export async function lockLog(tx: Tx, home: string, destination: string): Promise<LogRow> {
  const lock = () =>
    tx.maybeOne<LogRow>(named('federation_lock_log')`
      select ${columns} from federation.logs where home = ${home} for update`);
  const known = await lock();
  if (known !== null) return known;
  await tx.execute(named('federation_make_log')`
    insert into federation.logs (home, destination) values (${home}, ${destination})
      on conflict (home) do nothing`);
  return (await lock())!;
}

export async function writeLog(tx: Tx, log: LogRow): Promise<void> {
  await tx.execute(named('federation_write_log')`
    update federation.logs set epoch = ${log.epoch}, last_seq = ${log.lastSeq},
      settled_seq = ${log.settledSeq}, handed_seq = ${log.handedSeq}, renew_at = ${log.renewAt}, renew_above = ${log.renewAbove},
      attempts = ${log.attempts}, failing_since = ${log.failingSince}, due_at = ${log.dueAt},
        hold_until = ${log.holdUntil}, denied = ${log.denied}, last_error = ${log.lastError},
      restored = ${log.restored}, restored_at = ${log.restoredAt}, in_epoch = ${log.inEpoch},
        in_seq = ${log.inSeq}, ours = ${log.ours}, one_by_one = ${log.oneByOne},
      lost_epoch = ${log.lostEpoch}, lost_seq = ${log.lostSeq}, lost_at = ${log.lostAt}
    where home = ${log.home}`);
}

/** The end of a log: its last number. */
export interface LogEnd {
  /** uuid */
  destination: string;
  epoch: number;
  lastSeq: number;
}

/** An answer that accepted a push. */
export interface TakenPush {
  home: string;
  epoch: number;
  /** The highest number that the other home has settled. */
  seq: number;
  /** Outbox rows that announce the outcomes. */
  rows: readonly { id: string; type: string; event: Buffer }[];
  now: Date;
}

/**
 * Records an accepted push in one statement. Returns false, and writes nothing, if the log has moved to
 * another epoch.
 */
export async function settlePush(tx: Tx, { home, epoch, seq, rows, now }: TakenPush): Promise<boolean> {
  const found = await tx.query(named('federation_settle_push')`
    with log as (
      update federation.logs set settled_seq = greatest(settled_seq, ${seq}),
        due_at = case when greatest(settled_seq, ${seq}) < last_seq then ${now}::timestamptz end,
        attempts = 0, failing_since = null, hold_until = null, denied = false, last_error = null
      where home = ${home} and epoch = ${epoch} returning home),
    marked as (
      update federation.sent_items i set settled_at = ${now}
      where exists (select from log) and i.home = ${home} and i.epoch = ${epoch} and i.seq = ${seq}),
    announced as (
      insert into federation.outbox (id, type, event)
      select r.* from log, unnest(${rows.map(({ id }) => id)}::uuid[],
        ${rows.map(({ type }) => type)}::text[], ${rows.map(({ event }) => event)}::bytea[]) as r)
    select home from log`);
  return found.length > 0;
}

/** A push without a meaningful answer. */
export interface FailedPush
  extends Pick<LogRow, 'home' | 'attempts' | 'failingSince' | 'dueAt' | 'lastError'> {
  /** Null if nothing was sent. */
  epoch: number | null;
}

/**
 * Records failed pushes in one statement; returns their homes. Skips logs that have counted another attempt,
 * or moved to another epoch.
 */
export async function failPushes(tx: Tx, failed: readonly FailedPush[]): Promise<Set<string>> {
  const rows = await tx.query<{ home: string }>(named('federation_fail_pushes')`
    with given as (
      select * from unnest(${failed.map(({ home }) => home)}::text[], ${failed.map(({ epoch }) => epoch)}::bigint[],
        ${failed.map(({ attempts }) => attempts)}::int[], ${failed.map(({ failingSince }) => failingSince)}::timestamptz[],
        ${failed.map(({ dueAt }) => dueAt)}::timestamptz[], ${failed.map(({ lastError }) => lastError)}::text[])
        as given (home, epoch, attempts, failing_since, due_at, last_error)),
    held as (
      select l.home from federation.logs l join given on given.home = l.home
      where l.attempts = given.attempts - 1 and l.epoch = coalesce(given.epoch, l.epoch)
      order by l.home for update of l)
    update federation.logs l set attempts = given.attempts, failing_since = given.failing_since, due_at = given.due_at,
      last_error = given.last_error, hold_until = null, denied = false
    from held join given on given.home = held.home where l.home = held.home
    returning l.home`);
  return new Set(rows.map(({ home }) => home));
}

/** Records that the other home fetches the items of an epoch up to a number, so they count as handed out. */
export async function noteFetched(tx: Tx, home: string, epoch: number, upTo: number): Promise<void> {
  await tx.execute(named('federation_note_fetched')`
    update federation.logs set handed_seq = least(${upTo}::bigint, last_seq)
    where home = ${home} and epoch = ${epoch} and handed_seq < least(${upTo}::bigint, last_seq)`);
}

/** Returns the logs with something to send now, by destination. */
export async function findDueLogs(db: Db, destinations: readonly string[], now: Date) {
  type Due = Pick<LogRow, 'destination' | 'home' | 'attempts' | 'failingSince'>;
  return await db.query<Due>(named('federation_find_due_logs')`
    select destination, home, attempts, failing_since as "failingSince" from federation.logs
    where destination = any(${destinations}::uuid[]) and due_at <= ${now}
      and (hold_until is null or hold_until <= ${now}) and settled_seq < last_seq`);
}

/** For the engine: when the next push to `d.id` is due. */
export const nextDueSql = `
  select greatest(l.due_at, l.hold_until) from federation.logs l
  where l.destination = d.id and l.settled_seq < l.last_seq`;

/**
 * Builds SQL that makes the log of the home `$1` due at `$2` after failures.
 *
 * @param when SQL condition
 * @param request whether a valid request of that home is the cause, which ends a 403
 */
const nudgeSql = (when: string, request: boolean) => `
  nudged as (
    update federation.logs set due_at = $2, denied = denied and not ${request},
      hold_until = case when denied and ${request} then null else hold_until end
    where home = $1 and ${when} and (denied and ${request} or failing_since is not null and due_at > $2
      and (hold_until is null or hold_until <= $2))
    returning destination),
  touched as (
    update federation.destinations d set due_at = $2, version = version + 1
    from nudged where d.kind = 1 and d.id = nudged.destination
    returning d.id)`;

/** Makes the log of a home that answered due at once. A pause that the home asked for stays. */
export async function nudgeLog(tx: Tx, home: string, now: Date): Promise<string | null> {
  const row = await tx.maybeOne<{ destination: string }>({
    name: 'federation_nudge_log',
    text: `with ${nudgeSql('true', false)} select id as destination from touched`,
    values: [home, now],
  });
  return row?.destination ?? null;
}

/**
 * Records the nonce of a valid request, and makes the home's log due at once, which ends a 403 that it gave.
 *
 * @param nonce its hash
 * @param nudges whether to make the log due
 */
export async function noteRequest(
  tx: Tx,
  home: string,
  nonce: { hash: Buffer; until: Date },
  now: Date,
  nudges: boolean,
): Promise<{ isNew: boolean; destination: string | null }> {
  return await tx.one({
    name: 'federation_note_request',
    text: `
      with noted as (
        insert into federation.nonces (hash, until) values ($3, $4) on conflict (hash) do nothing returning hash),
      ${nudgeSql('$5::boolean and exists (select from noted)', true)}
      select exists (select from noted) as "isNew", (select id from touched) as destination`,
    values: [home, now, nonce.hash, nonce.until, nudges],
  });
}

/** After a start, spreads the due logs over at most this many ms. */
export async function staggerLogs(tx: Tx, now: Date, mostMs: number): Promise<void> {
  await tx.execute(named('federation_stagger_logs')`
    with waiting as (
      select home, destination, row_number() over (order by random()) - 1 as place, count(*) over () as count
      from federation.logs where due_at <= ${now}),
    later as (
      update federation.logs l
      set due_at = ${now}::timestamptz + w.place * least(100,
        ${mostMs}::float / w.count) * interval '1 millisecond'
      from waiting w where l.home = w.home
      returning l.destination, l.due_at)
    update federation.destinations d set due_at = later.due_at
    from later where d.kind = 1 and d.id = later.destination and d.lease is null`);
}

/** When the next log is due to be fetched: a day after the last fetch, or 20 seconds while this home has lost acts. */
export const nextPull = fragment`
  select min(coalesce(pulled_at, '-infinity')
    + case when lost_epoch is null then interval '1 day' else interval '20 seconds' end)
  from federation.logs where in_epoch > 0 or lost_epoch is not null`;

/**
 * Claims a home whose log is due to be fetched.
 *
 * @param before the last fetch must be older: usually, and while this home has lost acts
 */
export async function claimPull(
  tx: Tx,
  now: Date,
  before: { usual: Date; lost: Date },
): Promise<LogRow | null> {
  return await tx.maybeOne<LogRow>(named('federation_claim_pull')`
    update federation.logs set pulled_at = ${now}
    where home = (
      select home from federation.logs
      where in_epoch > 0 and (ours or home in (select home from federation.homes where policy is not null))
          and (pulled_at is null or pulled_at < ${before.usual})
        or lost_epoch is not null and (pulled_at is null or pulled_at < ${before.lost})
      order by pulled_at nulls first limit 1 for update skip locked)
    returning ${columns}`);
}

/**
 * Marks the acts sent to a home as lost, so that it is soon asked for them. Does nothing if they are already
 * marked, or none were sent.
 */
export async function noteLost(tx: Tx, home: string, now: Date): Promise<void> {
  await tx.execute(named('federation_note_lost')`
    update federation.logs set lost_epoch = epoch, lost_seq = settled_seq, lost_at = ${now}
    where home = ${home} and ours and lost_epoch is null`);
}

/**
 * Records that a home gave back the acts lost after a position in the log: all of them, or those up to
 * another position.
 */
export async function noteReturned(
  tx: Tx,
  home: string,
  behind: { epoch: number; seq: number },
  upTo: { epoch: number; seq: number } | null,
): Promise<void> {
  await tx.execute(named('federation_note_returned')`
    update federation.logs
    set lost_epoch = ${upTo?.epoch ?? null}::bigint, lost_seq = ${upTo?.seq ?? null}::bigint,
      lost_at = case when ${upTo !== null}::boolean then lost_at end
    where home = ${home} and (lost_epoch, lost_seq) >= (${behind.epoch}::bigint, ${behind.seq}::bigint)`);
}

/** Returns the homes among these that have yet to give back lost acts. */
export async function findLosing(db: Db, homes: readonly string[]): Promise<Set<string>> {
  if (homes.length === 0) return new Set();
  const rows = await db.query<{ home: string }>(named('federation_find_losing')`
    select home from federation.logs where home = any(${homes}::text[]) and lost_epoch is not null`);
  return new Set(rows.map(({ home }) => home));
}

/** Returns the number of this home's own document, for answers to other homes. */
export async function findDocSeq(db: Db): Promise<number> {
  const row = await db.one<{ docSeq: number }>(named('federation_find_doc_seq')`
    select coalesce(max(doc_seq), 0) as "docSeq" from federation.documents`);
  return row.docSeq;
}

/** Returns the homes with which anything was exchanged. */
export async function listLogHomes(db: Db): Promise<string[]> {
  const rows = await db.query<{ home: string }>(named('federation_list_log_homes')`
    select home from federation.logs where last_seq > 0 or in_seq > 0 order by home`);
  return rows.map(({ home }) => home);
}
