import { addressOf } from '@hearth/people';
import { type Decision, DecisionStatus, type DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { speakersOf } from '../../shared/domain/member.ts';
import { starterOf } from '../../shared/domain/starter.ts';
import { findVisible } from '../actions/find-visible.ts';
import { viewOf } from '../actions/show-decisions.ts';
import type { Context } from '../context.ts';
import { hasAnswered } from '../domain/decision.ts';
import { courseOf } from '../domain/state.ts';

export const listDecisionPeople =
  (context: Context): UnaryHandler<typeof DecisionsService.method.listDecisionPeople> =>
  async ({ id }, { caller }) => {
    const copy = await findElsewhere(context.copies, id, caller);
    if (copy !== null) return await peopleOf(context, copy.message, viewerIdOf(caller));
    const found = await findVisible(context, id, caller);
    const { row, people } = found;
    const viewer = viewerIdOf(caller);
    const ids = [
      ...people.map(({ person }) => person),
      ...(row.hidden_from === null ? [] : [row.hidden_from]),
    ];
    const view = viewOf(context, await context.people.everywhere.find(ids), caller);
    return {
      people: people.map((one) => ({
        person: view.id(one.person),
        name: view.name(one.person),
        asked: one.asked,
        answered: hasAnswered(courseOf(found), one),
        isCaller: one.person === viewer,
        spokenFor: speakersOf(one).includes(viewer),
        guarded: one.guardians.length > 0,
      })),
      ...(row.hidden_from !== null && { hiddenFrom: view.name(row.hidden_from) }),
      starter: starterOf(row) === viewer,
      organizer: people.some(({ person, organizer }) => organizer && person === viewer),
    };
  };

/** Those of a decision of another home whom its state names; they are known by their addresses. */
async function peopleOf({ people }: Pick<Context, 'people'>, decision: Decision, viewer: string) {
  const { answers, clash, hiddenFrom, proposal, questions, status, waitingOn } = decision;
  // While it is open no answers are told, and it waits for those who have not answered.
  const hasWhole = (person: string) =>
    status === DecisionStatus.OPEN
      ? !waitingOn.includes(person)
      : questions.every(({ id }) => answers.some((one) => one.questionId === id && one.person === person));
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
        ...{ asked: true, answered: hasWhole(person), guarded: false },
        ...{ isCaller: person === own, spokenFor: person === own },
      })),
    ...(hiddenFrom !== undefined && { hiddenFrom }),
    starter: false,
    organizer: false,
  };
}
