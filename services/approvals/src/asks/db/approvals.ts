import { type Db, fragment, named, raw, type Tx } from '@hearth/db';
import type { Unsigned } from '@hearth/receipts';
import type { Status, Why } from '../domain/machine.ts';

export interface ApprovalRow {
  id: string;
  kind: string;
  request_kind: string;
  title: string;
  details: string | null;
  choices: string[];
  free_text: boolean;
  needs: 'any' | 'all';
  asker_kind: 'ai' | 'person' | 'home';
  asker: string | null;
  asker_person: string | null;
  asker_app: string | null;
  /** The programs through which it was asked: app:<uuid> and client:<client_id>. */
  asker_programs: string[];
  asker_address: string;
  asker_name: string;
  asker_verified: boolean;
  asker_minor: boolean;
  about: string | null;
  group: string | null;
  group_handle: string | null;
  group_name: string | null;
  group_app: string | null;
  /** r:<home>:<id> of the group, for an ask of another home; `group_handle` then includes the home. */
  group_reference: string | null;
  item_ref: string | null;
  /** uuid of the app that gave the item; no other app sees it. */
  item_app: string | null;
  preview: string | null;
  digest: string;
  callback: string | null;
  invite: string | null;
  joiner: string | null;
  request_scope: string | null;
  request_id: string | null;
  request_digest: Buffer | null;
  status: Status;
  why: Why | null;
  asked_at: Date;
  expires_at: Date;
  settled_at: Date | null;
  settled_by: string | null;
  reminders: number;
  reminded_at: Date | null;
  record: string | null;
  signed_answer: string | null;
  /**
   * The home that owns the ask, the ask's r:<home>:<id> and the home's registrable domain; null for a local
   * ask.
   */
  home: string | null;
  reference: string | null;
  home_domain: string | null;
  /** Revision of the last state that was sent or received. */
  rev: number;
  /**
   * Whether the ask's home reports a different answer for a local recipient than they sent; null if it never
   * did.
   */
  disputed: 'now' | 'before' | null;
}

/** All columns, in the order of an insert. */
export const approvalNames = `
  id, kind, request_kind, title, details, choices, free_text, needs, asker_kind, asker, asker_person, asker_app,
  asker_address, asker_name, asker_verified, asker_minor, about, "group", group_handle, group_name, group_app, item_ref, item_app,
  preview, digest, callback, invite, joiner, request_scope, request_id, request_digest, status, why, asked_at, expires_at,
  settled_at, settled_by, reminders, reminded_at, record, signed_answer, home, reference, home_domain, rev, group_reference, asker_programs, disputed`;

/** `approvalNames`, for the table alias `a`. */
export const approvalColumns = raw(approvalNames.replaceAll(/[\w"]+/g, 'a.$&'));

export async function findApproval(db: Db, id: string): Promise<ApprovalRow | null> {
  return await db.maybeOne<ApprovalRow>(named('approvals_find')`
    select ${approvalColumns} from approvals.approvals a where a.id = ${id}`);
}

/** Locks the approval until `tx` ends. Every change of it, or of its answers, begins with this. */
export async function lockApproval(tx: Tx, id: string): Promise<ApprovalRow | null> {
  return await tx.maybeOne<ApprovalRow>(named('approvals_lock')`
    select ${approvalColumns} from approvals.approvals a where a.id = ${id} for update`);
}

export async function noteReminder(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.execute(named('approvals_note_reminder')`
    update approvals.approvals set reminders = reminders + 1, reminded_at = ${at} where id = ${id}`);
}

/** When the next waiting local approval expires. */
export const nextExpiry = fragment`
  select min(expires_at) from approvals.approvals where status = 'waiting' and home is null`;

/** uuids of expired local approvals that still wait, at most `limit`. */
export async function findDue(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('approvals_find_due')`
    select id from approvals.approvals where status = 'waiting' and expires_at <= ${now} and home is null
    order by expires_at limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Settled local approvals without a signature. */
export const unsigned: Unsigned = {
  table: 'approvals.approvals',
  where: `status <> 'waiting' and signed_answer is null and home is null`,
};

/** uuids of the waiting asks of these people, at most `limit`. */
export async function findOpenOfAskers(db: Db, people: readonly string[], limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('approvals_find_open_of_askers')`
    select found.id from unnest(${people}::uuid[]) as k (key)
    cross join lateral (
      select a.id from approvals.approvals a where a.asker_key = k.key and a.status = 'waiting'
      order by a.asked_at desc, a.id desc limit ${limit}) found
    limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** uuids of the group's asks that were made at or before `at` and still wait, without join requests. */
export async function findOpenOfGroup(db: Db, group: string, at: Date): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('approvals_find_open_of_group')`
    select a.id from approvals.approvals a
    where a."group" = ${group} and a.status = 'waiting' and a.joiner is null and a.asked_at <= ${at}`);
  return rows.map(({ id }) => id);
}

/** uuid of the AI's waiting proposal of rules to the person, made at `at` or earlier; there is at most one. */
export async function findWaitingProposalBy(
  db: Db,
  { ai, person, at }: { ai: string; person: string; at: Date },
): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(named('approvals_find_waiting_proposal_by')`
    select id from approvals.approvals
    where asker_key = ${person} and status = 'waiting' and kind = 'rules' and asker = ${ai} and asked_at <= ${at}`);
  return row?.id ?? null;
}

/** uuid of the ask with this reference. */
export async function findByReference(db: Db, reference: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(named('approvals_find_by_reference')`
    select id from approvals.approvals where reference = ${reference}`);
  return row?.id ?? null;
}

/** Increments the revision, for the next state that is sent to other homes. */
export async function nextRev(tx: Tx, id: string): Promise<number> {
  const { rev } = await tx.one<{ rev: number }>(named('approvals_next_rev')`
    update approvals.approvals set rev = rev + 1 where id = ${id} returning rev`);
  return Number(rev);
}
