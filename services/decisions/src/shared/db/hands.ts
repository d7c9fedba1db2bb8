import { named, type Tx } from '@hearth/db';

/** The owner of an AI by the newest known change. */
export interface Hands {
  /** uuid of its owner; null without an owner, or with one under 18. */
  person: string | null;
  /** Time of that change. */
  at: Date;
}

/** An AI (uuid) with its owner, as looked up. */
export interface Owned {
  ai: string;
  /** uuid; null without an owner. */
  person: string | null;
  /** Whether the owner is under 18. */
  minor: boolean;
}

/**
 * Records a change of an AI's owner and returns the newest known one; changes may be repeated or late.
 *
 * @param at time of the change
 */
export async function noteHands(tx: Tx, { ai, person, minor }: Owned, at: Date): Promise<Hands> {
  return await tx.one<Hands>(named('hands_note')`
    insert into decisions.hands as mine (ai, person, minor, at) values (${ai}, ${person}, ${minor}, ${at})
    on conflict (ai) do update set at = greatest(mine.at, excluded.at),
      person = case when mine.at <= excluded.at then excluded.person else mine.person end,
      minor = case when mine.at <= excluded.at then excluded.minor else mine.minor end
    returning case when not minor then person end as person, at`);
}

/** The recorded owners of these AIs (uuids), locked for the transaction. */
export async function lockHands(tx: Tx, ais: readonly string[]): Promise<Map<string, Owned>> {
  const rows = await tx.query<Owned>(named('hands_lock')`
    select ai, person, minor from decisions.hands where ai = any(${ais}::uuid[]) order by ai for share`);
  return new Map(rows.map((row) => [row.ai, row]));
}

/**
 * As `lockHands`, for all of these AIs: an AI that never changed hands is recorded with the given owner, so that
 * its first change waits for the transaction too. An owner recorded as under 18 may have come of age.
 */
export async function lockOwners(tx: Tx, ais: readonly Owned[]): Promise<Map<string, Owned>> {
  if (ais.length === 0) return new Map();
  await tx.execute(named('hands_know')`
    insert into decisions.hands as mine (ai, person, minor, at)
    select distinct on (ai) ai, person, minor, ${new Date(0)}::timestamptz
    from json_to_recordset(${JSON.stringify(ais)}::json) as known (ai uuid, person uuid, minor boolean) order by ai
    on conflict (ai) do update set minor = false
    where mine.minor and mine.person = excluded.person and not excluded.minor`);
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
