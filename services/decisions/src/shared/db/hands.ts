import { named, type Tx } from '@hearth/db';

/** The owner of an AI by the newest known change. */
export interface Hands {
  /** uuid of its owner; null without an owner. */
  person: string | null;
  /** Time of that change. */
  at: Date;
}

/** Records a change of an AI's (uuid) owner and returns the newest known one; changes may be repeated or late. */
export async function noteHands(tx: Tx, ai: string, { person, at }: Hands): Promise<Hands> {
  return await tx.one<Hands>(named('hands_note')`
    insert into decisions.hands as mine (ai, person, at) values (${ai}, ${person}, ${at})
    on conflict (ai) do update set at = greatest(mine.at, excluded.at),
      person = case when mine.at <= excluded.at then excluded.person else mine.person end
    returning person, at`);
}

/** The owners of the AIs (uuids) that changed hands, locked for the transaction. */
export async function lockHands(tx: Tx, ais: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await tx.query<{ ai: string; person: string | null }>(named('hands_lock')`
    select ai, person from decisions.hands where ai = any(${ais}::uuid[]) order by ai for share`);
  return new Map(rows.map(({ ai, person }) => [ai, person]));
}

/**
 * As `lockHands`, for all of these AIs: an AI that never changed hands is recorded with the given owner, so that
 * its first change waits for the transaction too.
 */
export async function lockOwners(
  tx: Tx,
  ais: readonly { ai: string; person: string | null }[],
): Promise<Map<string, string | null>> {
  await tx.execute(named('hands_know')`
    insert into decisions.hands (ai, person, at)
    select distinct on (ai) ai, person, ${new Date(0)}::timestamptz
    from json_to_recordset(${JSON.stringify(ais)}::json) as known (ai uuid, person uuid) order by ai
    on conflict do nothing`);
  return await lockHands(
    tx,
    ais.map(({ ai }) => ai),
  );
}

/** Deletes the entries of deleted AIs and people (uuids). */
export async function forgetHands(tx: Tx, gone: readonly string[]): Promise<void> {
  await tx.execute(named('hands_forget')`
    delete from decisions.hands where ai = any(${gone}::uuid[]) or person = any(${gone}::uuid[])`);
}
