import { isPublicHomeName } from '@hearth/config';
import { type Database, sql } from '@hearth/db';
import { internal } from '@hearth/errors';
import type { Logger } from '@hearth/telemetry';

/**
 * Checks that this is the database of a home with that name, and changes nothing: a start that fails later must not
 * have renamed the home.
 *
 * @throws internal, worded for operators, if it is another home's
 */
export async function checkName(database: Database, name: string): Promise<void> {
  const row = await database.db.maybeOne<{ name: string }>(sql`select name from home.name`);
  if (row !== null) requireOwn(row.name, name);
}

/**
 * Stores the home's name at its first start, because it appears in cards, records and addresses that others hold. A
 * name that other homes do not accept, such as localhost, can be replaced, since homes are tried out before a name is
 * chosen.
 *
 * @throws internal, worded for operators, if the database belongs to a home with another name
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
