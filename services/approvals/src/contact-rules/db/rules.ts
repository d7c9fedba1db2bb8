import { type Db, fragment, lockName, named, raw, sql, type Tx } from '@hearth/db';
import type { Stored } from '../domain/stored-rules.ts';

export interface RulesRow {
  /** uuid */
  person: string;
  preset: string | null;
  /** Every kind of request -> its rule. */
  rows: Record<string, Stored>;
  /** uuid of the AI that sees requests first. */
  frontDoor: string | null;
  /** Set by a child's guardian. */
  byGuardian: boolean;
}

const columns = fragment`person, preset, rows, front_door as "frontDoor", by_guardian as "byGuardian"`;

/** person -> the rules; leaves out people who have set none. */
export async function findRules(db: Db, people: readonly string[]): Promise<Map<string, RulesRow>> {
  const rows = await db.query<RulesRow>(named('approvals_find_rules')`
    select ${columns} from approvals.rules where person = any(${people}::uuid[])`);
  return new Map(rows.map((row) => [row.person, row]));
}

/** Locks a person's rules until `tx` ends; null if none are set. */
export async function lockRules(tx: Tx, person: string): Promise<RulesRow | null> {
  // By name, since there may be no row to lock yet.
  await lockName(tx, `approvals.rules ${person}`);
  return await tx.maybeOne<RulesRow>(named('approvals_lock_rules')`
    select ${columns} from approvals.rules where person = ${person} for update`);
}

export async function saveRules(tx: Tx, rules: RulesRow, at: Date): Promise<void> {
  await tx.execute(named('approvals_save_rules')`
    insert into approvals.rules (person, preset, rows, front_door, by_guardian, changed_at)
    values (${rules.person}, ${rules.preset}, ${JSON.stringify(rules.rows)}, ${rules.frontDoor},
      ${rules.byGuardian}, ${at})
    on conflict (person) do update set preset = excluded.preset, rows = excluded.rows,
      front_door = excluded.front_door, by_guardian = excluded.by_guardian, changed_at = excluded.changed_at`);
}

/** Deletes the person's rules, proposals, counts, sender labels and blocks. */
export async function deleteRulesOf(tx: Tx, person: string): Promise<void> {
  for (const table of ['rules', 'rule_proposals', 'rule_counts', 'senders', 'blocks']) {
    await tx.execute(sql`delete from ${raw(`approvals.${table}`)} where person = ${person}`);
  }
}
