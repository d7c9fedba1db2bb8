import { badField } from '@hearth/errors';
import type { OutcomeAnswer, OutcomeBringer } from '@hearth/proto/decisions/v1/decisions';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { WholeDecision } from '../db/decisions.ts';
import type { Edit } from '../domain/brought.ts';
import type { Bring } from '../domain/decision.ts';
import { plainValue, questionOf, readOne } from '../domain/read-answers.ts';

interface GivenEdit {
  answers: readonly OutcomeAnswer[];
  summary?: string | undefined;
  where?: string | undefined;
  bring: readonly OutcomeBringer[];
}

/** @throws bad_field for an answer that the question doesn't accept, or a person who isn't a participant */
export async function readEdit(
  { people }: Pick<Context, 'people'>,
  { row, people: participants }: WholeDecision,
  { answers, summary, where, bring }: GivenEdit,
  caller: Caller,
): Promise<Edit> {
  const read = answers.map(({ questionId, answer }, index) => {
    const question = questionOf(row.questions, questionId, `answers[${index}]`);
    if (question.kind === 'bring')
      throw badField(`answers[${index}].question_id`, 'is a bring list: give it in bring');
    return [
      questionId,
      readOne(question, plainValue(answer), row.time_zone, `answers[${index}].answer`),
    ] as const;
  });
  const brought: Bring[] = [];
  for (const [index, { person, what }] of bring.entries()) {
    const found = await people.everywhere.resolve(person, caller);
    if (found === null || !participants.some((participant) => participant.person === found.id))
      throw badField(`bring[${index}].person`, 'must be a person of this decision');
    brought.push({ person: found.id, what, assumed: false });
  }
  return { answers: new Map(read), summary, where, bring: bring.length === 0 ? undefined : brought };
}
