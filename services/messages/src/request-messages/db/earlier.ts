import { fragment, named, type Tx } from '@hearth/db';
import { type RequestRow, requestColumns, waits } from './request-messages.ts';

export const nextEarlier = fragment`
  select '-infinity'::timestamptz where exists (select from messages.items_to_note)`;

/** Takes messages that were waiting before items existed, with whether they still wait. */
export function takeEarlier(tx: Tx, limit: number): Promise<(RequestRow & { waiting: boolean })[]> {
  return tx.query(named('messages_take_earlier')`
    with taken as (
      delete from messages.items_to_note where message in (
        select message from messages.items_to_note order by message limit ${limit} for update skip locked)
      returning message)
    select ${requestColumns}, (${waits}) as waiting from messages.messages m
    where m.id in (select message from taken)`);
}
