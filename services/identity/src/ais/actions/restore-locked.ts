import type { UnitOfWork } from '@hearth/outbox';
import { updateSuspension } from '../../shared/db/ai-changes.ts';
import type { AiRow } from '../../shared/db/ais.ts';
import { aiRestored } from '../../shared/domain/ai-events.ts';
import { notSuspended } from '../../shared/domain/suspension.ts';
import type { Parting } from './part-with-ais.ts';

/** Ends the suspension of a locked AI: by the operator, or with an empty reason once it expires. */
export async function restoreLocked(
  tx: UnitOfWork,
  ai: AiRow,
  { apps, by, reason }: Parting & { reason: string },
): Promise<AiRow> {
  await updateSuspension(tx, ai.id, null, '');
  tx.announce(aiRestored(ai, { reason, apps }, by));
  tx.signal('credentials', ai.id);
  return { ...ai, ...notSuspended };
}
