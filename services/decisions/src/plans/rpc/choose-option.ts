import { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import { speakingFor, tapping } from '../../shared/actions/speaking.ts';
import { findVisible } from '../actions/find-visible.ts';
import { onCopy } from '../actions/show-copies.ts';
import { showPlan } from '../actions/show-plans.ts';
import type { Context } from '../context.ts';
import { planPath } from '../domain/link.ts';
import { askedOf } from '../domain/plan.ts';

/** Chooses an option for the caller and the children whom they guard, once no option works for all. */
export const chooseOption =
  (context: Context): UnaryHandler<typeof PlansService.method.chooseOption> =>
  async (request, { caller }) => {
    const { acts, config, plans } = context;
    const { id, option } = request;
    const copy = await findElsewhere(context.copies, id, caller);
    if (copy !== null) return await onCopy(context, copy, PlansService.method.chooseOption, request, caller);
    const found = await findVisible(context, id, caller);
    const theirs = await speakingFor(context, askedOf(found), caller);
    const link = `${config.siteUrl}${planPath(found.row.id)}`;
    const people = tapping(theirs, caller, { childTaps: config.childTaps, link }).map(({ person }) => person);
    const state = await plans.actOn(found, () => ({
      act: { kind: 'choose', people, option },
      by: caller,
      said: acts.said(caller),
    }));
    return await showPlan(context, await context.signing.now(state, caller), caller);
  };
