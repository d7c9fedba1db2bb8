import { addressOf } from '@hearth/people';
import { type Decision, DecisionStatus, type DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import { awaited, hasAnswered, type Participant } from '../domain/decision.ts';
import { courseOf } from '../domain/state.ts';

export const listDecisionPeople =
  (context: Context): UnaryHandler<typeof DecisionsService.method.listDecisionPeople> =>
  async ({ id }, { caller }) => {
    const copy = await findElsewhere(context.copies, id, caller);
    if (copy !== null) return await peopleOf(context, copy.message, viewerIdOf(caller));
    const found = await course.findVisible(context, id, caller);
    const { questions } = found.row;
    const saidBy = (participant: Participant) => ({
      answered: hasAnswered({ questions }, participant),
      picked: participant.pick,
    });
    const { shown } = await course.people(context, found, caller, saidBy, awaited(courseOf(found)));
    return shown;
  };

/** The people named in a remote decision's state, identified by address. */
async function peopleOf({ people }: Pick<Context, 'people'>, decision: Decision, viewer: string) {
  const { answers, clash, hiddenFrom, proposal, questions, status, waitingOn } = decision;
  // An open decision hides its answers; it waits for people who haven't answered.
  const hasWhole = (person: string) =>
    status === DecisionStatus.OPEN
      ? !waitingOn.includes(person)
      : questions.every(({ id }) =>
          answers.some((answer) => answer.questionId === id && answer.person === person),
        );
  const facts = await people.findOne(viewer);
  const own = facts === null ? '' : addressOf(facts);
  const named = [...answers, ...(proposal?.approvals ?? []), ...(proposal?.bring ?? [])];
  const names = new Map(named.map(({ person, name }) => [person, name]));
  const all = new Set([own, ...waitingOn, ...names.keys(), ...(clash?.people ?? [])]);
  return {
    people: [...all]
      .filter((person) => person !== '')
      .map((person) => ({
        ...{ person, name: person === own ? (facts?.name ?? '') : names.get(person) || person },
        ...{ asked: true, answered: hasWhole(person), guarded: false, waiting: waitingOn.includes(person) },
        ...{ isCaller: person === own, spokenFor: person === own },
      })),
    ...(hiddenFrom !== undefined && { hiddenFrom }),
    starter: false,
    organizer: false,
  };
}
