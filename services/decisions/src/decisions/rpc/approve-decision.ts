import { badField } from '@hearth/errors';
import { DecisionsService, Verdict } from '@hearth/proto/decisions/v1/decisions';
import { actingPerson, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { organizedNow } from '../../shared/actions/know-people.ts';
import { speakingFor } from '../../shared/actions/speaking.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import { type Approval, newParticipant } from '../domain/decision.ts';

const { approveDecision: method } = DecisionsService.method;

/** Approves the proposal, or asks for a change. */
export const approveDecision =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, { caller }) => {
    const { decision, note = '', version, for: reference } = request;
    if (decision !== Verdict.APPROVED && decision !== Verdict.CHANGE)
      throw badField('decision', 'must be approved or change');
    if (decision === Verdict.CHANGE && note === '') throw badField('note', 'must say what is to change');
    return await course.speak(context, { method, request, caller }, async (seen) => {
      const self = seen.people.find(({ person }) => person === actingPerson(caller));
      const byRole = seen.row.needs === 'organizers' || self?.asked === false;
      const found = byRole ? await organizedNow({ ...context, newcomer: newParticipant }, seen) : seen;
      const theirs = await speakingFor(context, found.people, caller, reference);
      const people = course.tapping(context, theirs, caller, found.row.number);
      const approval: Approval = {
        decision: decision === Verdict.APPROVED ? 'approved' : 'change',
        note,
        by: caller.id,
        as: caller.kind === callerKinds.AI ? 'ai' : 'person',
        at: context.clock.now(),
      };
      return { act: { kind: 'approve', people, version, approval }, note };
    });
  };
