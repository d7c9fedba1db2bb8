import type { Tx } from '@hearth/db';
import { enableApp } from '../../shared/db/app-streams.ts';

/** Uses an app's address again. False when it is not disabled (any more). Kick the engine afterwards. */
export async function resumeApp(tx: Tx, app: string, now: Date): Promise<boolean> {
  const disabled = await tx.maybeOne({
    text: 'select 1 from delivery.app_streams where app = $1 and disabled_at is not null for update',
    values: [app],
  });
  if (disabled === null) return false;
  await enableApp(tx, app, now, false);
  return true;
}
