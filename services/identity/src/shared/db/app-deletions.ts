import { sql, type Tx } from '@hearth/db';

export interface AppDeletionRow {
  confirmedAt: Date | null;
}

/** Records that these apps must delete the data named by an account_deleted event (uuid), and confirm it. */
export async function insertAppDeletions(
  tx: Tx,
  event: string,
  apps: readonly string[],
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into identity.app_deletions (event, app, created_at)
    select ${event}, app, ${now} from unnest(${apps}::uuid[]) as app
    on conflict do nothing`);
}

/** Locks the app's part in a deletion; null if the app was not notified. */
export async function lockAppDeletion(tx: Tx, event: string, app: string): Promise<AppDeletionRow | null> {
  return await tx.maybeOne<AppDeletionRow>(sql`
    select confirmed_at as "confirmedAt" from identity.app_deletions
    where event = ${event} and app = ${app} for no key update`);
}

export async function updateConfirmed(tx: Tx, event: string, app: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update identity.app_deletions set confirmed_at = ${now} where event = ${event} and app = ${app}`);
}
