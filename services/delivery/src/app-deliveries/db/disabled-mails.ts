import type { Db, Tx } from '@hearth/db';
import type { DisabledWhy } from '../../shared/db/app-streams.ts';

export interface DueMail {
  app: string;
  why: DisabledWhy;
  /** Attempts made before. */
  tries: number;
}

/** Apps whose contact does not know yet that their address was disabled. */
export function findMailsDue(db: Db, now: Date, limit: number): Promise<DueMail[]> {
  return db.query<DueMail>({
    text: `
      select app, disabled_why as why, mail_tries as tries from delivery.app_streams
      where mail_due_at <= $1 order by mail_due_at limit $2`,
    values: [now, limit],
  });
}

/** @param retryAt null: it was sent, or given up */
export async function noteMail(tx: Tx, app: string, retryAt: Date | null): Promise<void> {
  await tx.execute({
    text: `
      update delivery.app_streams set mail_due_at = $2, mail_tries = mail_tries + 1
      where app = $1 and mail_due_at is not null`,
    values: [app, retryAt],
  });
}
