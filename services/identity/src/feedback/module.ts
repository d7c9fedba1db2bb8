import { day, hour } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { FeedbackService } from '@hearth/proto/identity/v1/feedback';
import type { Host } from '@hearth/runtime';
import { purgeEnded } from '../shared/actions/purge-ended.ts';
import type { Context } from './context.ts';

/** Feedback of callers to the operator, and the answers. */
export async function startFeedback(host: Host): Promise<void> {
  const context: Context = { ...host, idempotency: host.idempotency() };
  await host.serveRpcs(FeedbackService, import.meta.url, context);
  const keptMs = sizeOf(host.limits, 'feedback_days') * day;
  host.every('purge-feedback', hour, () => purgeEnded(host, 'feedback', keptMs));
}
