import { isPublicHomeName } from '@hearth/config';
import { type Database, sql } from '@hearth/db';
import { internal } from '@hearth/errors';
import type { Logger } from '@hearth/telemetry';

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
    if (isPublicHomeName(kept)) {
      throw internal(
        `this is the database of the home ${kept}, and HEARTH_HOME is ${name}: a home keeps its name. Start with ` +
          `HEARTH_HOME=${kept}, or give ${name} a database of its own (DATABASE_URL, or another folder as HEARTH_DATA).`,
      );
    }
    await tx.execute(sql`update home.name set name = ${name}`);
    log.warn({ home: name, before: kept }, 'the home has another name from now on');
  });
}
