import type { MessageShape } from '@bufbuild/protobuf';
import type { SeenCopy } from '@hearth/home-acts';
import type { Decision, DecisionSchema, DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { Caller } from '@hearth/rpc';
import { callHome } from '../../shared/actions/elsewhere.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { findLinks } from '../../shared/db/links.ts';
import type { Context } from '../context.ts';
import { outcomeOf } from './show-decisions.ts';

/** A decision of another home, with the answers that the caller's person gave while no others are told. */
export async function showCopy(
  { copies, database }: Pick<Context, 'copies' | 'database'>,
  copy: SeenCopy<typeof DecisionSchema>,
  caller: Caller,
): Promise<Decision> {
  const { id, message, pending } = copy;
  const [own, links] = await Promise.all([
    message.answers.length > 0 ? null : copies.lastAnswer(copy, 'answer_decision', viewerIdOf(caller)),
    findLinks(database.db, 'decision', [id], caller),
  ]);
  return {
    ...message,
    ...outcomeOf(links.get(id)),
    answers: own?.answers ?? message.answers,
    ...(pending && { pending }),
  };
}

type Federated = 'answerDecision' | 'approveDecision' | 'settleClash';

/** Does it at the decision's home; the decision is pending while that home has not answered. */
export async function onCopy<Method extends (typeof DecisionsService.method)[Federated]>(
  context: Pick<Context, 'copies' | 'database'>,
  copy: SeenCopy<typeof DecisionSchema>,
  method: Method,
  request: MessageShape<Method['input']>,
  caller: Caller,
): Promise<Decision> {
  const answer = await callHome(context.copies, copy, method, request, caller);
  return (answer as Decision | null) ?? (await showCopy(context, { ...copy, pending: true }, caller));
}
