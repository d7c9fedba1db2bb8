import type { Db, Tx } from '@hearth/db';
import { appKind, states } from '../../app-deliveries/db/app-events.ts';
import { touchDestinations } from './destinations.ts';

export interface AppStreamRow {
  failingSince: Date | null;
  disabledAt: Date | null;
  disabledWhy: DisabledWhy | null;
}

/** It answered 410, or it failed for days. */
export type DisabledWhy = 'gone' | 'failing';

/** What is known of the address of an app; null before its first event. */
export function findAppStream(db: Db, app: string): Promise<AppStreamRow | null> {
  return db.maybeOne<AppStreamRow>({
    name: 'delivery_find_app_stream',
    text: `
      select failing_since as "failingSince", disabled_at as "disabledAt", disabled_why as "disabledWhy"
      from delivery.app_streams where app = $1`,
    values: [app],
  });
}

/**
 * Uses an app's address, that was disabled or has changed: what waits is due, and deletions that could not be told are
 * told. Kick the engine afterwards.
 *
 * @param fresh it is another address than before, or there was none
 */
export async function enableApp(tx: Tx, app: string, now: Date, fresh: boolean): Promise<void> {
  await tx.execute({
    text: `
      update delivery.app_streams
      set failing_since = null, disabled_at = null, disabled_why = null, mail_due_at = null where app = $1`,
    values: [app],
  });
  if (fresh) {
    await tx.execute({
      text: `
        update delivery.app_events set status = ${states.waiting}, due_at = $2, tries = 0
        where app = $1 and unconfirmed and status in (${states.notSent}, ${states.failed})`,
      values: [app, now],
    });
  }
  await touchDestinations(tx, appKind, [app], now);
}

/** The app has no address any more: what waits is not sent. Deletions wait for an address. */
export async function shelveApp(tx: Tx, app: string): Promise<void> {
  await tx.execute({
    text: `
      update delivery.app_events set status = ${states.notSent}, due_at = null, replay = false
      where app = $1 and status = ${states.waiting}`,
    values: [app],
  });
}

export interface DueMail {
  app: string;
  why: DisabledWhy;
  tries: number;
}

/** Apps whose contact is to be told that their address was disabled and why, and how often that was tried. */
export function findMailsDue(db: Db, now: Date, limit: number): Promise<DueMail[]> {
  return db.query<DueMail>({
    text: `
      select app, disabled_why as why, mail_tries as tries from delivery.app_streams
      where mail_due_at <= $1 order by mail_due_at limit $2`,
    values: [now, limit],
  });
}

/** @param again when it is tried again; null: it was sent, or given up */
export async function noteMail(tx: Tx, app: string, again: Date | null): Promise<void> {
  await tx.execute({
    text: `
      update delivery.app_streams set mail_due_at = $2, mail_tries = mail_tries + 1
      where app = $1 and mail_due_at is not null`,
    values: [app, again],
  });
}
