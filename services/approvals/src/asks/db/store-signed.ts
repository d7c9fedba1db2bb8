import type { Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import type { CallbackRow } from './callbacks.ts';

/** A settled approval with its signed answer. */
export interface SignedApproval {
  /** uuid */
  id: string;
  /** The record as JSON. */
  signed: string;
  at: Date;
  events: readonly OutboxRow[];
  /** Null if the asker requested none. */
  callback: Pick<CallbackRow, 'url' | 'body'> | null;
}

/**
 * Stores signed answers with their events and callbacks in one statement. Returns the uuids of the approvals
 * that had no signed answer before; the others stay unchanged.
 */
export async function storeSigned(tx: Tx, all: readonly SignedApproval[]): Promise<Set<string>> {
  const announced = all.flatMap(({ id, events }) => events.map((event) => ({ approval: id, event })));
  const rows = await tx.query<{ id: string }>({
    name: 'approvals_store_signed',
    text: `
      with input as (
        select * from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[])
          as i (id, signed, at, url, body)),
      -- One order everywhere, so that two statements with the same approvals wait for each other and cannot deadlock.
      open as (
        select a.id from approvals.approvals a
        where a.id = any($1::uuid[]) and a.signed_answer is null order by a.id for update),
      stored as (
        update approvals.approvals a set signed_answer = i.signed, signed_at = i.at, claimed_until = null
        from open join input i on i.id = open.id where a.id = open.id returning a.id),
      announced as (
        insert into approvals.outbox (id, type, event)
        select e.id, e.type, e.event
        from unnest($6::uuid[], $7::uuid[], $8::text[], $9::bytea[]) as e (approval, id, type, event)
        join stored s on s.id = e.approval),
      called as (
        insert into approvals.callbacks (approval, url, body, created_at)
        select i.id, i.url, i.body, i.at from input i join stored s on s.id = i.id
        where i.url is not null
        on conflict do nothing)
      select id from stored`,
    values: [
      all.map(({ id }) => id),
      all.map(({ signed }) => signed),
      all.map(({ at }) => at),
      all.map(({ callback }) => callback?.url ?? null),
      all.map(({ callback }) => callback?.body ?? null),
      announced.map(({ approval }) => approval),
      announced.map(({ event }) => event.id),
      announced.map(({ event }) => event.type),
      announced.map(({ event }) => event.event),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}
