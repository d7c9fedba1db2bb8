import type { SentAct } from '@hearth/home-acts';
import type { UnitOfWork } from '@hearth/outbox';
import type { Context } from '../context.ts';
import { dropAct, keepAnswer } from '../db/home-places.ts';
import type { GivenAnswer } from '../db/recipients.ts';
import { approvalsTopic, approvalTopic } from '../domain/topics.ts';

/**
 * Ends an answer that was sent to the home of the ask: stores it if that home accepted it, otherwise the
 * place waits again. `act` is null if the act ended before.
 */
export async function endAct(
  { sentActs }: Pick<Context, 'sentActs'>,
  tx: UnitOfWork,
  act: SentAct | null,
): Promise<void> {
  if (act === null) return;
  const { approval, given } = act.kept as unknown as { approval: string | null; given: GivenAnswer | null };
  // The ask comes later.
  if (approval === null) return;
  if (sentActs.errorOf(act) !== null) await dropAct(tx, act.id);
  else if (given !== null) await keepAnswer(tx, act.id, { ...given, at: new Date(given.at) });
  tx.wake(approvalTopic(approval), approvalsTopic(act.actor));
}
