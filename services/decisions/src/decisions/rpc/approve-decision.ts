import { badField } from '@hearth/errors';
import { DecisionsService, Verdict } from '@hearth/proto/decisions/v1/decisions';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import { speakingFor, tapping } from '../../shared/actions/speaking.ts';
import { findVisible } from '../actions/find-visible.ts';
import { onCopy } from '../actions/show-copies.ts';
import { showDecision } from '../actions/show-decisions.ts';
import type { Context } from '../context.ts';
import type { Approval } from '../domain/decision.ts';
import { decisionPath } from '../domain/link.ts';

/** Approves the proposal, or asks for a change of it. */
export const approveDecision =
  (context: Context): UnaryHandler<typeof DecisionsService.method.approveDecision> =>
  async (request, { caller }) => {
    const { id, decision, note = '', version, for: reference } = request;
    const { acts, clock, config, decisions } = context;
    if (decision !== Verdict.APPROVED && decision !== Verdict.CHANGE)
      throw badField('decision', 'must be approved or change');
    if (decision === Verdict.CHANGE && note === '') throw badField('note', 'must say what is to change');
    const copy = await findElsewhere(context.copies, id, caller);
    if (copy !== null)
      return await onCopy(context, copy, DecisionsService.method.approveDecision, request, caller);
    const found = await findVisible(context, id, caller);
    const theirs = await speakingFor(context, found.people, caller, reference);
    const link = `${config.siteUrl}${decisionPath(found.row.number)}`;
    const people = tapping(theirs, caller, { childTaps: config.childTaps, link }).map(({ person }) => person);
    const approval: Approval = {
      decision: decision === Verdict.APPROVED ? 'approved' : 'change',
      note,
      by: caller.id,
      as: caller.kind === callerKinds.AI ? 'ai' : 'person',
      at: clock.now(),
    };
    const state = await decisions.actOn(found, () => ({
      act: { kind: 'approve', people, version, approval },
      by: caller,
      note,
      said: acts.said(caller),
    }));
    return await showDecision(context, await context.signing.now(state, caller), caller);
  };
