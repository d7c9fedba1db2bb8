import { type Db, named, raw, sql, type Tx } from '@hearth/db';
import { destinationKinds, states, touchDestinations } from './destinations.ts';

export interface AppStreamRow {
  failingSince: Date | null;
  disabledAt: Date | null;
  disabledWhy: DisabledWhy | null;
}

/** The address answered 410 Gone, or failed for days. */
export type DisabledWhy = 'gone' | 'failing';

/** Returns app -> state of its address; absent before its first event and address change. */
export async function findAppStreams(db: Db, apps: readonly string[]): Promise<Map<string, AppStreamRow>> {
  const rows = await db.query<AppStreamRow & { app: string }>(named('delivery_find_app_streams')`
    select app, failing_since as "failingSince", disabled_at as "disabledAt", disabled_why as "disabledWhy"
    from delivery.app_streams where app = any(${apps}::uuid[])`);
  return new Map(rows.map((row) => [row.app, row]));
}

export async function findAppStream(db: Db, app: string): Promise<AppStreamRow | undefined> {
  return (await findAppStreams(db, [app])).get(app);
}

/**
 * Enables an app's address that was disabled or has changed: makes waiting events due, and with `fresh` also
 * deletions that could not be sent. Poke the engine afterwards.
 *
 * @param fresh whether the address is new to the app
 */
export async function enableApp(tx: Tx, app: string, now: Date, fresh: boolean): Promise<void> {
  await tx.execute(sql`
    update delivery.app_streams
    set failing_since = null, disabled_at = null, disabled_why = null where app = ${app}`);
  if (fresh) {
    await tx.execute(sql`
      update delivery.app_events set status = ${raw(states.waiting)}, due_at = ${now}, tries = 0
      where app = ${app} and unconfirmed and status in (${raw(states.notSent)}, ${raw(states.failed)})`);
  }
  await touchDestinations(tx, destinationKinds.app, [app], now);
}
