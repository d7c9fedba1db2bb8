import { type Clock, day } from '@hearth/clock';
import { type Database, type Db, fragment, lockName, named, sql, type Tx } from '@hearth/db';
import { fixed } from '@hearth/limits';

/** A wake-up to be recorded for one AI. */
export interface NewWakeUp {
  ai: string;
  id: string;
  at: Date;
  name: string;
  groups: readonly string[];
  /** The payload as public JSON. */
  data: object;
}

export interface WakeUpRow {
  ai: string;
  number: number;
  id: string;
  at: Date;
  name: string;
  groups: string[];
  data: Record<string, unknown>;
}

/** How long wake-ups are kept: a day more than the promised week. */
export const keptMs = fixed.wake_up_days * day;

const columns = fragment`w.ai, w.number, w.id, w.at, w.name, w.groups, w.data`;

/**
 * Numbers and inserts wake-ups in the streams of their AIs, which this transaction must have locked; existing
 * wake-ups are skipped. Returns the new rows by number.
 */
export function insertWakeUps(tx: Tx, wakeUps: readonly NewWakeUp[]): Promise<WakeUpRow[]> {
  return tx.query<WakeUpRow>({
    name: 'delivery_insert_wake_ups',
    text: insertText,
    values: [
      wakeUps.map(({ ai }) => ai),
      wakeUps.map(({ id }) => id),
      wakeUps.map(({ at }) => at),
      wakeUps.map(({ name }) => name),
      wakeUps.map(({ groups }) => `{${groups.join()}}`),
      wakeUps.map(({ data }) => JSON.stringify(data)),
    ],
  });
}

const insertText = `
with fresh as (
  select i.ai, i.id, i.at, i.name, i.groups::uuid[] as groups, i.data,
    row_number() over (partition by i.ai order by i.n) as place
  from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::json[])
    with ordinality as i(ai, id, at, name, groups, data, n)
  where not exists (select 1 from delivery.wake_ups w where w.ai = i.ai and w.id = i.id and w.at = i.at)
),
counted as (
  select ai, count(*) as count, max(at) as last_at, max(at) filter (where groups <> '{}') as last_group_at
  from fresh group by ai
),
numbered as (
  update delivery.streams s set
    last_number = s.last_number + c.count,
    last_at = greatest(s.last_at, c.last_at),
    last_group_at = greatest(s.last_group_at, c.last_group_at)
  from counted c where s.ai = c.ai
  returning s.ai, s.last_number - c.count as before
),
written as (
  insert into delivery.wake_ups (ai, number, id, at, name, groups, data)
  select f.ai, n.before + f.place, f.id, f.at, f.name, f.groups, f.data
  from fresh f join numbered n on n.ai = f.ai
  returning *
)
select ${columns} from written w order by w.ai, w.number`;

/** A query for the wake-ups of a stream. */
export interface WakeUpQuestion {
  ai: string;
  /** Only wake-ups after this number. */
  after: number;
  /** Only numbers up to this one. */
  upTo: number;
  /** Only wake-ups later than this. */
  since: Date;
  name: string | null;
  group: string | null;
  limit: number;
}

/** The most wake-ups scanned at a time when filtering by group. */
const mostScanned = 2_000;

/**
 * Returns wake-ups, oldest first. A filter by group may end before the end of the stream: `scannedTo` is the
 * last number scanned.
 */
export async function listWakeUps(
  db: Db,
  question: WakeUpQuestion,
): Promise<{ rows: WakeUpRow[]; scannedTo: number }> {
  const { ai, after, upTo, since, name, group, limit } = question;
  const common = `w.ai = $1 and w.number > $2 and w.number <= $3 and w.at > $4`;
  const narrowed = name === null ? common : `${common} and w.name = $6`;
  const values = [ai, after, upTo, since];
  const names = name === null ? [] : [name];
  if (group === null) {
    const rows = await db.query<WakeUpRow>({
      name: name === null ? 'delivery_list_wake_ups' : 'delivery_list_wake_ups_named',
      text: `select ${columns} from delivery.wake_ups w where ${narrowed} order by w.number limit $5`,
      values: [...values, limit, ...names],
    });
    return { rows, scannedTo: upTo };
  }
  const scanned = await db.query<{ number: number; found: boolean }>({
    name: name === null ? 'delivery_scan_wake_ups' : 'delivery_scan_wake_ups_named',
    text: `
      select w.number, w.groups @> array[$${name === null ? 6 : 7}::uuid] as found
      from delivery.wake_ups w where ${narrowed} order by w.number limit $5`,
    values: [...values, mostScanned, ...names, group],
  });
  const found = scanned.filter((row) => row.found).slice(0, limit);
  const rows = await db.query<WakeUpRow>(named('delivery_find_wake_ups')`
    select ${columns} from delivery.wake_ups w
    where w.ai = ${ai} and w.number = any(${found.map(({ number }) => number)}::bigint[]) and w.at > ${since}
      order by w.number`);
  const whole = scanned.length < mostScanned;
  return { rows, scannedTo: whole ? upTo : scanned.at(-1)!.number };
}

/** Returns the newest matching wake-ups, oldest first. */
export async function listNewestWakeUps(
  db: Db,
  { ai, after, upTo, since, name, group, limit }: WakeUpQuestion & { name: string },
): Promise<WakeUpRow[]> {
  const rows = await db.query<WakeUpRow>(named('delivery_list_newest_wake_ups')`
    select ${columns} from delivery.wake_ups w
    where w.ai = ${ai} and w.name = ${name} and w.number > ${after} and w.number <= ${upTo}
      and w.at > ${since}
      and (${group}::uuid is null or w.groups @> array[${group}::uuid])
    order by w.number desc limit ${limit}`);
  return rows.reverse();
}

/** Whether a matching wake-up is as old as `since`, or older. */
export async function isOlder(
  db: Db,
  { ai, after, upTo, since, name, group }: Omit<WakeUpQuestion, 'limit'>,
): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(named('delivery_is_wake_up_older')`
    select exists (
      select 1 from delivery.wake_ups w
      where w.ai = ${ai} and w.number > ${after} and w.number <= ${upTo} and w.at <= ${since}
        and (${name}::text is null or w.name = ${name}) and (${group}::uuid is null
          or w.groups @> array[${group}::uuid])) as found`);
  return found;
}

/** Creates the partitions of the next days, and drops those past retention. */
export async function purgeWakeUps(database: Database, clock: Clock): Promise<void> {
  const now = clock.now();
  const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  await database.transaction(async (tx) => {
    await lockName(tx, 'delivery.wake_ups');
    for (let ahead = 0; ahead <= 3; ahead += 1) {
      await tx.execute(sql`select delivery.make_wake_up_partition(${dateOf(now + ahead * day)}::date)`);
    }
    await tx.execute(sql`select delivery.drop_wake_up_partitions(${dateOf(now - keptMs)}::date)`);
  });
}
