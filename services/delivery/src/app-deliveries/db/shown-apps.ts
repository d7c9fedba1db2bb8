import { sql, type Tx } from '@hearth/db';
import { listAppDeliveries } from '../../shared/db/app-deliveries.ts';
import { enableApp } from '../../shared/db/app-streams.ts';
import { states } from '../../shared/db/destinations.ts';
import type { ShownKind } from '../../shared/db/shown-kind.ts';

export const shownApps: ShownKind = {
  sends: {
    from: 'delivery.app_events e',
    destination: 'e.app',
    id: 'e.id',
    type: 'e.type',
    attempts: 'e.attempt_count',
    lastError: `e.attempts -> -1 ->> 'error'`,
    hidesOld: true,
  },
  destinations: {
    from: 'delivery.app_streams s',
    id: 's.app',
    failingSince: 's.failing_since',
    stoppedAt: 's.disabled_at',
    stopped: 'disabled',
    lastError: 's.last_error',
    lastDeliveryAt: 's.last_delivery_at',
    waiting: `delivery.app_events e where e.app = d.id and e.status = ${states.waiting}`,
  },
  async list(db, { destination: app, ...question }) {
    const { rows, next } = await listAppDeliveries(db, { ...question, app, type: null });
    return { rows: rows.map((row) => ({ ...row, kind: 'app', destination: app })), next };
  },
  async resume(tx, app, { now }) {
    if (!(await lockDisabledApp(tx, app))) return [];
    await enableApp(tx, app, now, false);
    return [app];
  },
};

/** Locks the stream of an app whose address is disabled; false if it is not disabled. */
async function lockDisabledApp(tx: Tx, app: string): Promise<boolean> {
  const disabled = await tx.maybeOne(sql`
    select 1 from delivery.app_streams where app = ${app} and disabled_at is not null for update`);
  return disabled !== null;
}
