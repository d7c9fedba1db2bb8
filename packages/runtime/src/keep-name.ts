import { isPublicHomeName } from '@hearth/config';
import { type Database, sql } from '@hearth/db';
import { internal } from '@hearth/errors';
import type { Logger } from '@hearth/telemetry';

/**
 * Looks whether this is the database of a home with that name, and changes nothing: a start that fails later must not have
 * given the home another one.
 *
 * @throws internal, in words for the operator, when it is another home's
 */
export async function checkName(database: Database, name: string): Promise<void> {
  const row = await database.db.maybeOne<{ name: string }>(sql`select name from home.name`);
  if (row !== null) requireOwn(row.name, name);
}

/**
 * Keeps the name of the home from its first start on: it stands in cards, records and addresses that others hold. A name that
 * other homes do not take, such as localhost, gives way to another, for a home is tried before its name is chosen.
 *
 * @throws internal, in words for the operator, when the database is that of a home with another name
 */
export async function keepName(database: Database, name: string, log: Logger): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`insert into home.name (name) values (${name}) on conflict do nothing`);
    const { name: kept } = await tx.one<{ name: string }>(sql`select name from home.name for update`);
    if (kept === name) return;
    requireOwn(kept, name);
    await tx.execute(sql`update home.name set name = ${name}`);
    log.warn({ home: name, before: kept }, 'the home has another name from now on');
  });
}

function requireOwn(kept: string, name: string): void {
  if (kept === name || !isPublicHomeName(kept)) return;
  throw internal(
    `this is the database of the home ${kept}, and HEARTH_HOME is ${name}: a home keeps its name. Start with ` +
      `HEARTH_HOME=${kept}, or give ${name} a database of its own (DATABASE_URL, or another folder as HEARTH_DATA).`,
  );
}
