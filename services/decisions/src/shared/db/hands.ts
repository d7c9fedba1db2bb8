import { named, type Tx } from '@hearth/db';

/** The owner of an AI by the newest change that is known. */
export interface Hands {
  /** uuid of its owner; null: the AI alone. */
  person: string | null;
  /** When that change was. */
  at: Date;
}

/** Notes a change of an AI (uuid), which may come again, and after a newer one: then the newer one stands. */
export async function noteHands(tx: Tx, ai: string, { person, at }: Hands): Promise<Hands> {
  return await tx.one<Hands>(named('hands_note')`
    insert into decisions.hands as mine (ai, person, at) values (${ai}, ${person}, ${at})
    on conflict (ai) do update set at = greatest(mine.at, excluded.at),
      person = case when mine.at <= excluded.at then excluded.person else mine.person end
    returning person, at`);
}

/** The owners of those AIs (uuids) that changed hands, by the newest changes that are known. They stay so for as long as `tx` lasts. */
export async function lockHands(tx: Tx, ais: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await tx.query<{ ai: string; person: string | null }>(named('hands_lock')`
    select ai, person from decisions.hands where ai = any(${ais}::uuid[]) order by ai for share`);
  return new Map(rows.map(({ ai, person }) => [ai, person]));
}

/** Forgets whose these AIs are, and which AIs are these people's (uuids): they are gone. */
export async function forgetHands(tx: Tx, gone: readonly string[]): Promise<void> {
  await tx.execute(named('hands_forget')`
    delete from decisions.hands where ai = any(${gone}::uuid[]) or person = any(${gone}::uuid[])`);
}
