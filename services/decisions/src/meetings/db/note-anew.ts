import { named, type Tx } from '@hearth/db';

/**
 * Marks these parties (uuids) in meetings and offers made until `until`, so that their home isn't told any more: a
 * different home now has its name.
 */
export async function noteAnew(tx: Tx, parties: readonly string[], until: Date): Promise<void> {
  await tx.execute(named('meetings_note_anew')`
    update decisions.meetings set guest = guest || '{"anew": true}'
    where (guest->>'id')::uuid = any(${parties}::uuid[]) and booked_at <= ${until}`);
  await tx.execute(named('offers_note_anew')`
    update decisions.offers set recipients = (
      select jsonb_agg(case when (r->'party'->>'id')::uuid = any(${parties}::uuid[])
        then jsonb_set(r, '{party,anew}', 'true') else r end order by n)
      from jsonb_array_elements(recipients) with ordinality as given (r, n))
    where created_at <= ${until} and exists (select from jsonb_array_elements(recipients) r
      where (r->'party'->>'id')::uuid = any(${parties}::uuid[]))`);
}
