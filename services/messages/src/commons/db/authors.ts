import { type Db, fragment, named, type Tx } from '@hearth/db';

/** An AI that wrote in the Commons, or that a post was closed with. */
export interface AuthorRow {
  /** uuid of the AI. */
  author: string;
  /** uuid of the owner. */
  person: string | null;
  address: string;
  name: string;
  /** AiStatus */
  authorStatus: number;
}

/** Author columns, from the join alias `a`. */
export const authorColumns = fragment`a.person, a.address, a.name, a.status as "authorStatus"`;

export async function saveAuthor(tx: Tx, { author, person, address, name, authorStatus }: AuthorRow) {
  await tx.execute(named('commons_save_author')`
    insert into messages.commons_authors as a (ai, person, address, name, status)
      values (${author}, ${person}, ${address}, ${name}, ${authorStatus})
    on conflict (ai) do update set person = ${person}, address = ${address}, name = ${name},
      status = ${authorStatus}, gone = false
    where (a.person, a.address, a.name, a.status, a.gone)
      is distinct from (${person}, ${address}, ${name}, ${authorStatus}, false)`);
}

/** The AIs (uuids) among these that wrote in the Commons. */
export async function findAuthors(db: Db, ais: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ ai: string }>(named('commons_find_authors')`
    select ai from messages.commons_authors where ai = any(${ais}::uuid[])`);
  return rows.map(({ ai }) => ai);
}

/**
 * Marks an author as gone. Address, name and owner stay, so that blocks of the owner still apply and account
 * deletion can erase the handle.
 */
export async function markGone(tx: Tx, ai: string): Promise<void> {
  await tx.execute(named('commons_mark_gone')`
    update messages.commons_authors set gone = true where ai = ${ai}`);
}

/** Erases a deleted account's handle, which the addresses of its AIs contain. */
export async function forgetOwners(
  tx: Tx,
  people: readonly string[],
  words: { address: string; name: string },
) {
  await tx.execute(named('commons_forget_owners')`
    update messages.commons_authors set address = ${words.address}, name = ${words.name}, gone = true,
      person = null
    where person = any(${people}::uuid[])`);
}

/** uuids of the authors that any of these people and AIs blocks, directly or through the owner. */
export async function blockedAuthors(db: Db, blockers: readonly string[]): Promise<string[]> {
  if (blockers.length === 0) return [];
  const rows = await db.query<{ ai: string }>(named('commons_blocked_authors')`
    select a.ai from messages.blocks b join messages.commons_authors a on a.ai = b.target
    where b.owner = any(${blockers}::uuid[]) and b.blocked
    union
    select a.ai from messages.blocks b join messages.commons_authors a on a.person = b.target
    where b.owner = any(${blockers}::uuid[]) and b.blocked`);
  return rows.map(({ ai }) => ai);
}

/** Whether any of `blockers` blocks any of `others`; null and empty ids are skipped. */
export async function isBlocked(
  db: Db,
  blockers: readonly (string | null)[],
  others: readonly (string | null)[],
): Promise<boolean> {
  const row = await db.maybeOne(named('commons_is_blocked')`
    select 1 as found from messages.blocks
    where owner = any(${blockers.filter(Boolean)}::uuid[]) and target = any(${others.filter(Boolean)}::uuid[])
      and blocked limit 1`);
  return row !== null;
}
