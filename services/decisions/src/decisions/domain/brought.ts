import type { Bring, Decision } from './decision.ts';
import type { Brought } from './machine.ts';
import { answersTo, propose, suits } from './propose.ts';

/** The parts of a proposal that its bringer changes; the others stay as they are. */
export interface Edit {
  /** question id -> option, or text. */
  answers: ReadonlyMap<number, string>;
  summary: string | undefined;
  where: string | undefined;
  bring: readonly Bring[] | undefined;
}

/** The present proposal, or the one that follows from the answers, with an edit. @param by uuid of who brings it */
export function broughtBy(decision: Decision, edit: Edit, by: string): Brought {
  const { proposal, people, questions } = decision;
  const base = proposal ?? { ...propose(decision), summary: '', where: '' };
  const answers = base.answers.map((before) => {
    const answer = edit.answers.get(before.question);
    const question = questions.find(({ id }) => id === before.question);
    if (answer === undefined || question === undefined) return before;
    const suited = question.kind === 'text' ? before.people : suits(answer, answersTo(question, people));
    return { ...before, answer, people: suited };
  });
  return {
    answers,
    bring: edit.bring ?? base.bring,
    // Words about answers that changed are not kept.
    summary: edit.summary ?? (edit.answers.size > 0 || edit.bring !== undefined ? '' : base.summary),
    where: edit.where ?? base.where,
    by,
  };
}
