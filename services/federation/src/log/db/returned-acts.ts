import { named, type Tx } from '@hearth/db';

/** Records acts of this home that another home gave back, by id without the home. */
export async function noteReturnedActs(
  tx: Tx,
  home: string,
  acts: readonly { id: string; service: string }[],
  now: Date,
): Promise<void> {
  if (acts.length === 0) return;
  await tx.execute(named('federation_note_returned_acts')`
    insert into federation.returned_acts (home, id, service, returned_at)
    select ${home}, id, service, ${now}::timestamptz
    from unnest(${acts.map(({ id }) => id)}::text[], ${acts.map(({ service }) => service)}::text[]) as a (id, service)
    on conflict (home, id) do nothing`);
}

/** Deletes acts that were given back before `before`. */
export async function purgeReturnedActs(tx: Tx, before: Date): Promise<void> {
  await tx.execute(named('federation_purge_returned_acts')`
    delete from federation.returned_acts where returned_at < ${before}`);
}
