import { type Db, fragment, named, raw, type Tx } from '@hearth/db';
import type { PagePosition } from '@hearth/paging';
import type { Unsigned } from '@hearth/receipts';
import type { RowOf } from '../../shared/db/columns.ts';
import type { Hands } from '../../shared/db/hands.ts';
import { type ListedBy, listSeated } from '../../shared/db/lists.ts';
import { createRows } from '../../shared/db/rows.ts';
import type { Seat } from '../../shared/db/seats.ts';
import type { Agreement } from '../domain/agreement.ts';

const fixed = {
  id: 'uuid',
  title: 'text',
  terms: 'text',
  terms_digest: 'text',
  needs_owners: 'boolean',
  replaces: 'uuid null',
  /** r:<home>:<id> of the replaced agreement if that is remote. */
  replaces_elsewhere: 'text null',
  started_at: 'timestamptz',
  sign_by: 'timestamptz',
  fulfil_by: 'timestamptz null',
  signed_record: 'text null',
  signed_settlement: 'text null',
} as const;

const stored = {
  ...fixed,
  status: 'text',
  why: 'text null',
  reason: 'text null',
  sides: 'jsonb',
  /** uuids of the approvals that owners are asked for. */
  approvals: 'uuid[]',
  revision: 'integer',
  ready_at: 'timestamptz null',
  settled_at: 'timestamptz null',
  due_at: 'timestamptz null',
  errands: 'boolean',
  record: 'uuid null',
  settlement: 'uuid null',
} as const;

/** A row, or the copy of a remote agreement in the same form. */
export type AgreementRow = RowOf<typeof stored, Agreement>;

const rows = createRows<Omit<AgreementRow, 'reference'>, AgreementRow>({
  table: 'decisions.agreements',
  as: 'd',
  columns: stored,
  fixed,
});
const { columns } = rows.parts;

export const { find: findAgreement, findAll: findAgreements, lock: lockAgreement } = rows;

/** The agreement if the viewer (uuid) has a seat at it. */
export async function findSeen(db: Db, id: string, viewer: string): Promise<AgreementRow | null> {
  return await db.maybeOne<AgreementRow>(named('agreements_find_seen')`
    select ${columns} from decisions.agreements d
    join decisions.seats s on s.item = d.id and s.viewer = ${viewer}
    where d.id = ${id}`);
}

/** uuids of the local and remote agreements with a side whose owner is asked by this approval (uuid). */
export async function findByApproval(db: Db, approval: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('agreements_find_by_approval')`
    select id from decisions.agreements where approvals @> array[${approval}::uuid]
    union all
    select id from decisions.home_copies
    where kind = 'agreement' and notes->'approvals' @> to_jsonb(array[${approval}::text])`);
  return rows.map(({ id }) => id);
}

/**
 * uuids of agreements started before `at` that an AI (uuid) sees: local ones where its side has another owner
 * or none, and remote ones that have not ended.
 */
export async function findOfOthers(db: Db, ai: string, { person, at }: Hands): Promise<string[]> {
  const rows = await db.query<{ item: string }>(named('agreements_find_of_others')`
    select s.item, s.started_at from decisions.seats s join decisions.agreements d on d.id = s.item
    where s.viewer = ${ai}::uuid and s.kind = 'agreement' and s.started_at < ${at} and exists (
      select from jsonb_array_elements(d.sides) one
      where one->>'ai' = ${ai}::text and one->>'person' is distinct from ${person}::text)
    union all
    select copy, started_at from decisions.home_copy_seats
    where viewer = ${ai}::uuid and kind = 'agreement' and status in ('open', 'ready') and started_at < ${at}
    order by started_at, item`);
  return rows.map(({ item }) => item);
}

/**
 * uuids of the local and remote agreements that have not ended and are visible to these AIs or people
 * (uuids); with `before`, only those started earlier.
 */
export async function findOpenOf(db: Db, viewers: readonly string[], before?: Date): Promise<string[]> {
  const where = `
    where viewer = any($1::uuid[]) and kind = 'agreement' and status in ('open', 'ready')
      and ($2::timestamptz is null or started_at < $2)`;
  const rows = await db.query<{ item: string }>({
    name: 'agreements_find_open_of',
    text: `
      select item from decisions.seats ${where}
      union select copy from decisions.home_copy_seats ${where}`,
    values: [viewers, before ?? null],
  });
  return rows.map(({ item }) => item);
}

export async function insertAgreement(tx: Tx, row: AgreementRow, seats: readonly Seat[]): Promise<void> {
  await Promise.all([rows.insert(tx, [row]), putSeats(tx, row, seats)]);
}

/** Replaces the agreement's seats. */
async function putSeats(tx: Tx, { id, started_at, status }: AgreementRow, seats: readonly Seat[]) {
  await tx.execute(named('agreements_put_seats')`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(seats)}::jsonb) as s (viewer uuid, waiting boolean)),
    seated as (
      insert into decisions.seats as mine (kind, item, viewer, started_at, status, waiting)
      select 'agreement', ${id}, g.viewer, ${started_at}, ${status}, g.waiting from given g
      on conflict (item, viewer) do update set status = excluded.status, waiting = excluded.waiting
      where (mine.status, mine.waiting) is distinct from (excluded.status, excluded.waiting))
    delete from decisions.seats where item = ${id} and viewer not in (select viewer from given)`);
}

/** Writes the agreement and replaces its seats. */
export async function updateAgreement(tx: Tx, row: AgreementRow, seats: readonly Seat[]): Promise<void> {
  await Promise.all([rows.update(tx, row), putSeats(tx, row, seats)]);
}

/** Agreements whose first or second record is not signed yet. */
export const unsigned: Unsigned = {
  table: 'decisions.agreements',
  where: `((status in ('ready', 'settled') and signed_record is null)
    or (status = 'settled' and signed_settlement is null))`,
};

/** False if the record was already signed. */
export async function storeRecord(
  tx: Tx,
  id: string,
  which: 'signed_record' | 'signed_settlement',
  json: string,
): Promise<boolean> {
  const rows = await tx.query({
    name: `agreements_store_${which}`,
    text: `
      update decisions.agreements set ${which} = $2, claimed_until = null, revision = revision + 1
      where id = $1 and ${which} is null returning id`,
    values: [id, json],
  });
  return rows.length > 0;
}

/**
 * When the next errand is due: of local agreements once their request had `graceMs`, of remote ones at their
 * `due` time.
 */
export const nextErrand = (graceMs: number) => fragment`
  select least(
    (select min(started_at) from decisions.agreements where errands) + interval '${raw(graceMs)} milliseconds',
    (select to_timestamp(min((notes->>'due')::bigint) / 1000.0) from decisions.home_copies
      where kind = 'agreement' and notes ? 'due'))`;

/**
 * uuids of agreements with errands due: local ones started before `before`, and remote ones; at most `limit`
 * of each.
 */
export async function listErrands(db: Db, before: Date, now: number, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('agreements_list_errands')`
    select id from (
      select id from decisions.agreements where errands and started_at <= ${before} order by started_at limit ${limit}) own
    union all
    select id from (
      select id from decisions.home_copies
      where kind = 'agreement' and notes ? 'due' and (notes->>'due')::bigint <= ${now}
      order by (notes->>'due')::bigint limit ${limit}) others`);
  return rows.map(({ id }) => id);
}

/** The viewer's agreements, newest first. */
export async function listSeen(
  db: Db,
  by: ListedBy,
  after: PagePosition | null,
  limit: number,
): Promise<AgreementRow[]> {
  const listed = { kind: 'agreement', table: 'decisions.agreements', columns } as const;
  return await listSeated<AgreementRow>(db, listed, by, after, limit);
}
