import { sql, type Tx } from '@hearth/db';

export interface AppDeletionRow {
  confirmedAt: Date | null;
}

/** Notes that these apps are to delete what the event (uuid of an account_deleted) names, and to confirm it. */
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

/** The app's part in the deletion of that event; null when it was told nothing. */
export async function lockAppDeletion(tx: Tx, event: string, app: string): Promise<AppDeletionRow | null> {
  return await tx.maybeOne<AppDeletionRow>(sql`
    select confirmed_at as "confirmedAt" from identity.app_deletions
    where event = ${event} and app = ${app} for no key update`);
}

export async function updateConfirmed(tx: Tx, event: string, app: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update identity.app_deletions set confirmed_at = ${now} where event = ${event} and app = ${app}`);
}
