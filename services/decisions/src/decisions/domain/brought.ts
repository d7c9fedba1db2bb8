import type { Bring, Decision } from './decision.ts';
import type { Brought } from './machine.ts';
import { answersTo, propose, suits } from './propose.ts';

/** Changes to a proposal; absent parts stay as they are. */
export interface Edit {
  /** question id -> option, or text. */
  answers: ReadonlyMap<number, string>;
  summary: string | undefined;
  where: string | undefined;
  bring: readonly Bring[] | undefined;
}

/**
 * Applies an edit to the current proposal, or to the one that follows from the answers.
 *
 * @param by uuid of the author
 */
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
    // A summary of earlier answers would be wrong after a change.
    summary: edit.summary ?? (edit.answers.size > 0 || edit.bring !== undefined ? '' : base.summary),
    where: edit.where ?? base.where,
    by,
  };
}
