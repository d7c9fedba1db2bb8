import { day } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { FeedbackService } from '@hearth/proto/identity/v1/feedback';
import type { Host } from '@hearth/runtime';
import { endedIn } from '../shared/db/ended-rows.ts';
import type { Context } from './context.ts';

/** Feedback from callers to the operator, and the answers. */
export async function startFeedback(host: Host): Promise<void> {
  const context: Context = { ...host, idempotency: host.idempotency() };
  await host.serveRpcs(FeedbackService, import.meta.url, context);
  host.purge('purge-feedback', [sizeOf(host.limits, 'feedback_days') * day, endedIn('feedback')]);
}
