import { type Db, fragment, named, type Tx } from '@hearth/db';
import type { SentAct } from '@hearth/home-acts';
import type { JsonObject } from '@hearth/signing';
import type { ApprovalRow } from './approvals.ts';
import { closeItems, placeItems } from './items.ts';
import type { GivenAnswer, PlaceKey } from './recipients.ts';

/** Schedules a no by rule, which is sent to the ask's home at that time. */
export async function planNoes(
  tx: Tx,
  approval: string,
  positions: readonly number[],
  at: Date,
): Promise<void> {
  await tx.execute(named('approvals_plan_noes')`
    update approvals.recipients set no_due_at = ${at}
    where approval = ${approval} and position = any(${positions}::smallint[]) and recipient is not null`);
}

export const nextNoDue = fragment`
  select min(no_due_at) from approvals.recipients where no_due_at is not null`;

/** uuids of asks with a no that is due, at most `limit`. */
export async function findDueNoes(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ approval: string }>(named('approvals_find_due_noes')`
    select distinct approval from approvals.recipients where no_due_at <= ${now} limit ${limit}`);
  return rows.map(({ approval }) => approval);
}

export async function clearNoes(tx: Tx, approval: string, positions: readonly number[]): Promise<void> {
  await tx.execute(named('approvals_clear_noes')`
    update approvals.recipients set no_due_at = null where approval = ${approval}
      and position = any(${positions}::smallint[])`);
}

/** Marks the place's answer as in flight, and closes its item. @param act uuid */
export async function noteAct(tx: Tx, { approval, position }: PlaceKey, act: string): Promise<void> {
  await tx.execute(named('approvals_note_act')`
    with sent as (
      update approvals.recipients set act = ${act} where approval = ${approval} and position = ${position}
        returning approval, position)
    ${closeItems('sent')}`);
}

/** The act failed: the place waits again, unless it was answered meanwhile. */
export async function dropAct(tx: Tx, act: string): Promise<void> {
  await tx.execute(named('approvals_drop_act')`
    with dropped as (
      update approvals.recipients set act = null where act = ${act} returning *)
    ${placeItems('dropped')}`);
}

/** Stores the answer of an act that the ask's home accepted. */
export async function keepAnswer(tx: Tx, act: string, given: GivenAnswer): Promise<void> {
  const { decision, answer, note, at, by, as, via, proof } = given;
  await tx.execute(named('approvals_keep_answer')`
    update approvals.recipients set decision = ${decision}, answer = ${answer}, note = ${note},
      answered_at = ${at}, answered_by = ${by},
      answered_as = ${as}, via = ${via}, proof = ${proof}, act = null
    where act = ${act}`);
}

/** Acts on an ask of another home that were restored before the ask itself, oldest first. */
export async function findLooseActs(tx: Tx, reference: string): Promise<SentAct[]> {
  return await tx.query<SentAct>(named('approvals_find_loose_acts')`
    select id, home, object, operation, actor, digest, kept, status, error, answer from approvals.home_acts
    where object = ${reference} and kept->'approval' = 'null'::jsonb order by created_at, id for update`);
}

export async function keepLooseAct(tx: Tx, act: string, kept: JsonObject): Promise<void> {
  await tx.execute(named('approvals_keep_loose_act')`
    update approvals.home_acts set kept = ${JSON.stringify(kept)}::jsonb where id = ${act}`);
}

/** Notes how the ask reached its recipients at that home. Returns whether there are any. */
export async function noteReached(
  tx: Tx,
  approval: string,
  { home, delivered, unknown }: { home: string; delivered: boolean; unknown: readonly string[] },
): Promise<boolean> {
  const count = await tx.execute(named('approvals_note_reached')`
    update approvals.recipients set handling =
      case when ${delivered}::boolean and address <> all(${unknown}::text[]) then 'delivered' else 'undeliverable' end
    where approval = ${approval} and home = ${home} and handling = 'held'`);
  return count > 0;
}

/** Stores the ask's state as its home reports it. */
export async function storeState(
  tx: Tx,
  { id, rev, reminders, reminded_at, signed_answer, disputed }: ApprovalRow,
): Promise<void> {
  await tx.execute(named('approvals_store_state')`
    update approvals.approvals set rev = ${rev}, reminders = ${reminders}, reminded_at = ${reminded_at},
      signed_answer = ${signed_answer}, disputed = ${disputed},
      signed_at = case when ${signed_answer}::text is null then null else now() end
    where id = ${id}`);
}

/** An answer as the ask's home reports it. */
export type SaidAnswer = PlaceKey &
  Pick<GivenAnswer, 'decision' | 'answer' | 'note'> & { at: Date | null; as: string | null };

export async function storeSaid(tx: Tx, said: readonly SaidAnswer[]): Promise<void> {
  for (const { approval, position, decision, answer, note, at, as } of said)
    await tx.execute(named('approvals_store_said')`
      with said as (
        update approvals.recipients set decision = ${decision}, answer = ${answer}, note = ${note},
          answered_at = ${at}, answered_as = ${as}
        where approval = ${approval} and position = ${position} returning approval, position)
      ${closeItems('said')}`);
}

/** Deletes an ask and its waiting items. */
export async function deleteAsk(tx: Tx, id: string): Promise<void> {
  await tx.execute(named('approvals_delete_items_of_ask')`
    delete from approvals.items where kind = 'approval' and id = ${id}`);
  await tx.execute(named('approvals_delete_ask')`delete from approvals.approvals where id = ${id}`);
}

/** Returns the people who let the sender into their inbox, or answered an ask from that domain before. */
export async function findKnowing(
  db: Db,
  people: readonly string[],
  { sender, domain }: { sender: string; domain: string },
): Promise<Set<string>> {
  const rows = await db.query<{ person: string }>(named('approvals_find_knowing')`
    select person from approvals.senders
      where person = any(${people}::uuid[]) and sender = ${sender} and inbox
    union
    select r.person from approvals.recipients r join approvals.approvals a on a.id = r.approval
      where r.person = any(${people}::uuid[]) and r.answered_at is not null and a.home_domain = ${domain}`);
  return new Set(rows.map(({ person }) => person));
}

/** uuids of waiting asks from that home, or with recipients there who have not answered, at most `limit`. */
export async function findWaitingWith(db: Db, home: string, before: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('approvals_find_waiting_with_home')`
    select a.id from approvals.approvals a where a.status = 'waiting' and a.asked_at <= ${before} and (a.home = ${home} or (a.home is null
      and exists (select from approvals.recipients r
        where r.approval = a.id and r.home = ${home} and r.decision = 'waiting')))
    limit ${limit}`);
  return rows.map(({ id }) => id);
}
