import { timeIn } from '@hearth/calendar';
import { english } from '@hearth/i18n';
import type { DecisionRow } from '../db/decisions.ts';
import type { Proposal, Question } from './decision.ts';

/** A proposal's result as fields. */
export interface Outcome {
  summary: string;
  /** The first time: an instant (ISO 8601 with Z) or a day; null if there is none. */
  when: string | null;
  where: string;
}

type Row = Pick<DecisionRow, 'questions' | 'time_zone'>;

export function outcomeOf({ questions, time_zone }: Row, proposal: Proposal): Outcome {
  const { answers, summary, where } = proposal;
  const when = questions.find(({ kind }) => kind === 'when');
  const time = answers.find(({ question }) => question === when?.id)?.answer ?? null;
  return { when: time, where, summary: summary || summaryOf(questions, proposal, time_zone) };
}

/** The answers in one line: "Pizza; Mon, 3 May 2027, 18:00". */
function summaryOf(
  questions: readonly Question[],
  { answers, bring }: Proposal,
  zone: string | null,
): string {
  const parts = answers.flatMap(({ question, answer }) => {
    const kind = questions.find(({ id }) => id === question)?.kind;
    if (answer === null || kind === undefined) return [];
    return [kind === 'when' ? english.words(timeIn(answer, zone)) : answer];
  });
  const things = bring.length === 0 ? [] : [`to bring: ${bring.map(({ what }) => what).join(', ')}`];
  return [...parts, ...things].join('; ').slice(0, 500);
}
