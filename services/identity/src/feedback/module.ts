import { day, hour } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import { sizeOf } from '@hearth/limits';
import { FeedbackService } from '@hearth/proto/identity/v1/feedback';
import type { Host } from '@hearth/runtime';
import type { Context } from './context.ts';
import { deleteFeedbackBefore } from './db/feedback.ts';

const batch = 1_000;

/** Feedback of callers to the operator, and the answers. */
export async function startFeedback(host: Host): Promise<void> {
  const { clock, database, limits } = host;
  const context: Context = { ...host, idempotency: host.idempotency() };
  await host.serveRpcs(FeedbackService, import.meta.url, context);
  const kept = sizeOf(limits, 'feedback_days') * day;
  host.every('purge-feedback', hour, async () => {
    const before = new Date(clock.now() - kept);
    await inBatches(database, batch, (tx, size) => deleteFeedbackBefore(tx, before, size));
  });
}
