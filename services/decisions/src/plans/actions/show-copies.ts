import type { MessageShape } from '@bufbuild/protobuf';
import type { SeenCopy } from '@hearth/home-acts';
import type { Plan, PlanSchema, PlansService } from '@hearth/proto/decisions/v1/plans';
import type { Caller } from '@hearth/rpc';
import { callHome } from '../../shared/actions/elsewhere.ts';
import type { Context } from '../context.ts';

export function showCopy({ message, pending }: SeenCopy<typeof PlanSchema>): Plan {
  return { ...message, ...(pending && { pending }) };
}

/** Does it at the plan's home; the plan is pending while that home has not answered. */
export async function onCopy<Method extends (typeof PlansService.method)['takeStance' | 'chooseOption']>(
  { copies }: Pick<Context, 'copies'>,
  copy: SeenCopy<typeof PlanSchema>,
  method: Method,
  request: MessageShape<Method['input']>,
  caller: Caller,
): Promise<Plan> {
  const answer = await callHome(copies, copy, method, request, caller);
  return (answer as Plan | null) ?? showCopy({ ...copy, pending: true });
}
