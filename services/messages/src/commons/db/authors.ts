import type { Db, Tx } from '@hearth/db';

/** An AI that wrote into the Commons. */
export interface AuthorRow {
  /** uuid of the AI. */
  author: string;
  /** uuid of its owner. */
  person: string | null;
  address: string;
  name: string;
  /** AiStatus */
  authorStatus: number;
}

/** Joined as `a` to what it wrote. */
export const authorColumns = `a.person, a.address, a.name, a.status as "authorStatus"`;

export async function saveAuthor(tx: Tx, { author, person, address, name, authorStatus }: AuthorRow) {
  await tx.execute({
    name: 'commons_save_author',
    text: `
      insert into messages.commons_authors as a (ai, person, address, name, status) values ($1, $2, $3, $4, $5)
      on conflict (ai) do update set person = $2, address = $3, name = $4, status = $5, gone = false
      where (a.person, a.address, a.name, a.status, a.gone) is distinct from ($2, $3, $4, $5, false)`,
    values: [author, person, address, name, authorStatus],
  });
}

/** uuids of those of these AIs that wrote here. */
export async function findAuthors(db: Db, ais: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ ai: string }>({
    name: 'commons_find_authors',
    text: `select ai from messages.commons_authors where ai = any($1::uuid[])`,
    values: [ais],
  });
  return rows.map(({ ai }) => ai);
}

/** Keeps address and name as they were before. */
export async function markGone(tx: Tx, ai: string): Promise<void> {
  await tx.execute({
    name: 'commons_mark_gone',
    text: `update messages.commons_authors set gone = true, person = null where ai = $1`,
    values: [ai],
  });
}

/** The address of the AI of a deleted account tells its handle. */
export async function forgetOwners(
  tx: Tx,
  people: readonly string[],
  words: { address: string; name: string },
) {
  await tx.execute({
    name: 'commons_forget_owners',
    text: `
      update messages.commons_authors set address = $2, name = $3, gone = true, person = null
      where person = any($1::uuid[])`,
    values: [people, words.address, words.name],
  });
}

/** uuids of authors whom one of these people and AIs blocks, or whose owner they block. */
export async function blockedAuthors(db: Db, blockers: readonly string[]): Promise<string[]> {
  if (blockers.length === 0) return [];
  const rows = await db.query<{ ai: string }>({
    name: 'commons_blocked_authors',
    text: `
      select a.ai from messages.blocks b join messages.commons_authors a on a.ai = b.target
      where b.owner = any($1::uuid[]) and b.blocked
      union
      select a.ai from messages.blocks b join messages.commons_authors a on a.person = b.target
      where b.owner = any($1::uuid[]) and b.blocked`,
    values: [blockers],
  });
  return rows.map(({ ai }) => ai);
}

/** Whether one of these blocks one of those; null and empty are no one. */
export async function isBlocked(
  db: Db,
  blockers: readonly (string | null)[],
  others: readonly (string | null)[],
): Promise<boolean> {
  const row = await db.maybeOne({
    name: 'commons_is_blocked',
    text: `
      select 1 as found from messages.blocks
      where owner = any($1::uuid[]) and target = any($2::uuid[]) and blocked limit 1`,
    values: [blockers.filter(Boolean), others.filter(Boolean)],
  });
  return row !== null;
}
