import type { Db, Tx } from '@hearth/db';
import type { Place } from '@hearth/paging';
import type { Unsigned } from '@hearth/receipts';
import type { Hands } from '../../shared/db/hands.ts';
import { type ListedBy, listSeated } from '../../shared/db/lists.ts';
import type { Seat } from '../../shared/db/seats.ts';
import type { Side, Status, Why } from '../domain/agreement.ts';

/** The row of an agreement. */
export interface AgreementRow {
  id: string;
  title: string;
  terms: string;
  terms_digest: string;
  needs_owners: boolean;
  replaces: string | null;
  status: Status;
  why: Why | null;
  reason: string | null;
  sides: readonly Side[];
  revision: number;
  started_at: Date;
  sign_by: Date;
  fulfil_by: Date | null;
  ready_at: Date | null;
  /** When it last moved: to ready, settled or declined. */
  settled_at: Date | null;
  due_at: Date | null;
  errands: boolean;
  record: string | null;
  signed_record: string | null;
  settlement: string | null;
  signed_settlement: string | null;
}

const names = [
  'id',
  'title',
  'terms',
  'terms_digest',
  'needs_owners',
  'replaces',
  'status',
  'why',
  'reason',
  'sides',
  'revision',
  'started_at',
  'sign_by',
  'fulfil_by',
  'ready_at',
  'settled_at',
  'due_at',
  'errands',
  'record',
  'signed_record',
  'settlement',
  'signed_settlement',
] as const satisfies readonly (keyof AgreementRow)[];

const columns = names.map((name) => `d.${name}`).join(', ');

/** An agreement that the viewer (uuid) has a seat at. */
export async function findSeen(db: Db, id: string, viewer: string): Promise<AgreementRow | null> {
  return await db.maybeOne<AgreementRow>({
    name: 'agreements_find_seen',
    text: `
      select ${columns} from decisions.agreements d
      join decisions.seats s on s.item = d.id and s.viewer = $2
      where d.id = $1`,
    values: [id, viewer],
  });
}

export async function findAgreement(db: Db, id: string): Promise<AgreementRow | null> {
  return await db.maybeOne<AgreementRow>({
    name: 'agreements_find',
    text: `select ${columns} from decisions.agreements d where d.id = $1`,
    values: [id],
  });
}

export async function findAgreements(db: Db, ids: readonly string[]): Promise<AgreementRow[]> {
  return await db.query<AgreementRow>({
    name: 'agreements_find_all',
    text: `select ${columns} from decisions.agreements d where d.id = any($1::uuid[])`,
    values: [ids],
  });
}

/** The uuid of the agreement for which an owner is asked by that approval (uuid). */
export async function findByApproval(db: Db, approval: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>({
    name: 'agreements_find_by_approval',
    text: `select id from decisions.agreements where approvals @> array[$1::uuid]`,
    values: [approval],
  });
  return row?.id ?? null;
}

/** uuids of the agreements that an AI (uuid) sees as that of another owner, or of none: of those started before that time. */
export async function findOfOthers(db: Db, ai: string, { person, at }: Hands): Promise<string[]> {
  const rows = await db.query<{ item: string }>({
    name: 'agreements_find_of_others',
    text: `
      select s.item from decisions.seats s join decisions.agreements d on d.id = s.item
      where s.viewer = $1::uuid and s.kind = 'agreement' and s.started_at < $3 and exists (
        select from jsonb_array_elements(d.sides) one
        where one->>'ai' = $1::text and one->>'person' is distinct from $2::text)
      order by s.started_at, s.item`,
    values: [ai, person, at],
  });
  return rows.map(({ item }) => item);
}

/** uuids of the agreements that have not ended, of which these AIs or people (uuids) see something; of those started before. */
export async function findOpenOf(db: Db, viewers: readonly string[], before?: Date): Promise<string[]> {
  const rows = await db.query<{ item: string }>({
    name: 'agreements_find_open_of',
    text: `
      select distinct item from decisions.seats
      where viewer = any($1::uuid[]) and kind = 'agreement' and status in ('open', 'ready')
        and ($2::timestamptz is null or started_at < $2)`,
    values: [viewers, before ?? null],
  });
  return rows.map(({ item }) => item);
}

/** Locks the agreement for as long as `tx` lasts; every change of it begins so. */
export async function lockAgreement(tx: Tx, id: string): Promise<AgreementRow | null> {
  return await tx.maybeOne<AgreementRow>({
    name: 'agreements_lock',
    text: `select ${columns} from decisions.agreements d where d.id = $1 for update`,
    values: [id],
  });
}

const approvalsOf = ({ sides }: AgreementRow) => sides.flatMap(({ approval }) => approval ?? []);

export async function insertAgreement(tx: Tx, row: AgreementRow, seats: readonly Seat[]): Promise<void> {
  await Promise.all([
    tx.execute({
      name: 'agreements_insert',
      text: `
        insert into decisions.agreements (${names.join(', ')}, approvals)
        values (${names.map((_, index) => `$${index + 1}`).join(', ')}, $${names.length + 1}::uuid[])`,
      values: [
        ...names.map((name) => (name === 'sides' ? JSON.stringify(row.sides) : row[name])),
        approvalsOf(row),
      ],
    }),
    putSeats(tx, row, seats),
  ]);
}

/** Writes its seats as they are now: those that are not named go. */
async function putSeats(tx: Tx, { id, started_at, status }: AgreementRow, seats: readonly Seat[]) {
  await tx.execute({
    name: 'agreements_put_seats',
    text: `
      with given as (
        select * from jsonb_to_recordset($4::jsonb) as s (viewer uuid, waiting boolean)),
      seated as (
        insert into decisions.seats as mine (kind, item, viewer, started_at, status, waiting)
        select 'agreement', $1, g.viewer, $2, $3, g.waiting from given g
        on conflict (item, viewer) do update set status = excluded.status, waiting = excluded.waiting
        where (mine.status, mine.waiting) is distinct from (excluded.status, excluded.waiting))
      delete from decisions.seats where item = $1 and viewer not in (select viewer from given)`,
    values: [id, started_at, status, JSON.stringify(seats)],
  });
}

/** Writes the agreement as it is now, and its seats. */
export async function updateAgreement(tx: Tx, row: AgreementRow, seats: readonly Seat[]): Promise<void> {
  await Promise.all([
    tx.execute({
      name: 'agreements_update',
      text: `
        update decisions.agreements set status = $2, why = $3, reason = $4, sides = $5, revision = $6, ready_at = $7,
          settled_at = $8, due_at = $9, errands = $10, record = $11, settlement = $12,
          approvals = $13::uuid[], claimed_until = null
        where id = $1`,
      values: [
        row.id,
        row.status,
        row.why,
        row.reason,
        JSON.stringify(row.sides),
        row.revision,
        row.ready_at,
        row.settled_at,
        row.due_at,
        row.errands,
        row.record,
        row.settlement,
        approvalsOf(row),
      ],
    }),
    putSeats(tx, row, seats),
  ]);
}

/** Those of which a record is to be signed: the first, or the second. */
export const unsigned: Unsigned = {
  table: 'decisions.agreements',
  where: `((status in ('ready', 'settled') and signed_record is null)
    or (status = 'settled' and signed_settlement is null))`,
};

/** False when it was signed before. */
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

/** Agreements of which sides are to be told, or owners asked: at most `limit`. */
export async function listErrands(db: Db, before: Date, limit: number): Promise<AgreementRow[]> {
  return await db.query<AgreementRow>({
    name: 'agreements_list_errands',
    text: `
      select ${columns} from decisions.agreements d
      where d.errands and d.started_at <= $1 order by d.started_at limit $2`,
    values: [before, limit],
  });
}

/** The agreements of a viewer, the newest first. */
export async function listSeen(
  db: Db,
  by: ListedBy,
  after: Place | null,
  limit: number,
): Promise<AgreementRow[]> {
  const listed = { kind: 'agreement', table: 'decisions.agreements', columns } as const;
  return await listSeated<AgreementRow>(db, listed, by, after, limit);
}
