import type { MessageShape } from '@bufbuild/protobuf';
import type { SeenCopy } from '@hearth/home-acts';
import type { Plan, PlanSchema, PlansService } from '@hearth/proto/decisions/v1/plans';
import type { Caller } from '@hearth/rpc';
import { callHome } from '../../shared/actions/elsewhere.ts';
import { findLinks } from '../../shared/db/links.ts';
import type { Context } from '../context.ts';
import { outcomeOf } from './show-plans.ts';

type Copy = SeenCopy<typeof PlanSchema>;

/** Plans of other homes, in that order. */
export async function showCopies(
  { database }: Pick<Context, 'database'>,
  copies: readonly Copy[],
  caller: Caller,
): Promise<Plan[]> {
  const ids = copies.map(({ id }) => id);
  const links = await findLinks(database.db, 'plan', ids, caller);
  return copies.map(({ id, message, pending }) => ({
    ...message,
    ...outcomeOf(links.get(id)),
    ...(pending && { pending }),
  }));
}

export async function showCopy(
  context: Pick<Context, 'database'>,
  copy: Copy,
  caller: Caller,
): Promise<Plan> {
  const [shown] = await showCopies(context, [copy], caller);
  return shown as Plan;
}

/** Does it at the plan's home; the plan is pending while that home has not answered. */
export async function onCopy<Method extends (typeof PlansService.method)['takeStance' | 'chooseOption']>(
  context: Pick<Context, 'copies' | 'database'>,
  copy: Copy,
  method: Method,
  request: MessageShape<Method['input']>,
  caller: Caller,
): Promise<Plan> {
  const answer = await callHome(context.copies, copy, method, request, caller);
  return (answer as Plan | null) ?? (await showCopy(context, { ...copy, pending: true }, caller));
}
