import type { Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import { placeNotices } from '../../shared/db/request-notices.ts';
import { type ApprovalRow, approvalNames } from './approvals.ts';
import { placeItems } from './items.ts';
import { type RecipientRow, recipientNames } from './recipients.ts';

/** All rows of an ask. */
export interface NewAsk {
  approval: ApprovalRow;
  recipients: readonly RecipientRow[];
  events: readonly OutboxRow[];
}

/**
 * Writes asks with their recipients, items and events in one statement. Returns the uuids of the written
 * asks; skips an ask whose id or request_id is taken.
 */
export async function insertAsks(tx: Tx, asks: readonly NewAsk[]): Promise<Set<string>> {
  const announced = asks.flatMap(({ approval, events }) =>
    events.map((event) => ({ approval: approval.id, event })),
  );
  const rows = await tx.query<{ id: string }>({
    name: 'approvals_insert_asks',
    text: `
      with asked as (
        insert into approvals.approvals (${approvalNames})
        select ${approvalNames} from json_populate_recordset(null::approvals.approvals, $1::json)
        -- One order everywhere, so that two statements with the same request_ids wait for each other and cannot deadlock.
        order by request_scope, request_id
        on conflict do nothing returning id, asker, asker_person, expires_at),
      placed as (
        insert into approvals.recipients (${recipientNames})
        select ${recipientNames} from json_populate_recordset(null::approvals.recipients, $2::json)
        where approval in (select id from asked) returning *),
      items as (${placeItems('placed', 'asked')}),
      noticed as (${placeNotices(`
        select case when kind = 'ai' then person else recipient end as person, asked_at as at from placed
        where handling = 'waiting_quietly' and box = 'requests' and not minor
          and case when kind = 'ai' then person else recipient end is not null`)}),
      announced as (
        insert into approvals.outbox (id, type, event)
        select e.id, e.type, e.event
        from unnest($3::uuid[], $4::uuid[], $5::text[], $6::bytea[]) as e (approval, id, type, event)
        where e.approval in (select id from asked))
      select id from asked`,
    values: [
      JSON.stringify(
        asks.map(({ approval }) => ({ ...approval, request_digest: hexOf(approval.request_digest) })),
      ),
      JSON.stringify(
        asks.flatMap(({ recipients }) =>
          recipients.map((row) => ({ ...row, key_hash: hexOf(row.key_hash) })),
        ),
      ),
      announced.map(({ approval }) => approval),
      announced.map(({ event }) => event.id),
      announced.map(({ event }) => event.type),
      announced.map(({ event }) => event.event),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Bytes in the form that Postgres reads from JSON. */
const hexOf = (bytes: Buffer | null) => (bytes === null ? null : `\\x${bytes.toString('hex')}`);
