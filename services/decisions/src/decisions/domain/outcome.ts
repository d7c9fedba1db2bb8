import { englishSummary, type SummedAnswer } from '@hearth/calendar';
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

function summaryOf(
  questions: readonly Question[],
  { answers, bring }: Proposal,
  zone: string | null,
): string {
  const summed = answers.flatMap(({ question, answer }): SummedAnswer[] => {
    const kind = questions.find(({ id }) => id === question)?.kind;
    if (answer === null || kind === undefined) return [];
    return [kind === 'when' ? { time: answer } : { words: answer }];
  });
  return englishSummary({ answers: summed, bring: bring.map(({ what }) => what) }, zone);
}
