import { notFound } from '@hearth/errors';
import type { Context } from '../context.ts';
import { endSubscription as writeEnd } from '../db/subscriptions.ts';
import { noteWakes } from './note-wakes.ts';

/** Ends a subscription (uuid) of an AI, and its waiting sends. @throws not_found */
export async function endSubscription(context: Context, ai: string, id: string): Promise<object> {
  const now = new Date(context.clock.now());
  if (!(await context.database.statement((tx) => writeEnd(tx, { id, ai, now })))) throw notFound();
  await noteWakes(context, ai);
  return {};
}
