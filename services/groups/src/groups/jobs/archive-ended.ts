import type { Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import type { Context } from '../context.ts';
import { archiveGroup, type GroupRow, lockEnded } from '../db/groups.ts';
import { appsOfMembers } from '../db/members.ts';
import { groupArchived } from '../domain/events.ts';

const batch = 50;

type Needed = Pick<Context, 'clock' | 'database' | 'outbox'>;

/** Archives the groups whose end has come. Until it runs, they are shown as archived already. */
export async function archiveEnded(context: Needed): Promise<void> {
  const { clock, database, outbox } = context;
  let found: number;
  do {
    const events = await database.transaction(async (tx) => {
      const rows: OutboxRow[] = [];
      for (const group of await lockEnded(tx, new Date(clock.now()), batch)) {
        rows.push(await archive(context, tx, group));
      }
      if (rows.length > 0) await outbox.announce(tx, rows);
      return rows;
    });
    if (events.length > 0) outbox.committed(events);
    found = events.length;
  } while (found === batch);
}

async function archive({ outbox }: Needed, tx: Tx, group: GroupRow): Promise<OutboxRow> {
  const at = group.ends_at as Date;
  const row = await archiveGroup(tx, group.id, { why: 'ended', by: null, at });
  const apps = await appsOfMembers(tx, group.id);
  return groupArchived(outbox, { group: row, seq: row.seq, apps }, 'ended');
}
