import { printId } from '@hearth/ids';
import { underAge } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actsOf } from '../../shared/domain/member.ts';
import { namesOf } from '../../shared/domain/record-names.ts';
import type { WholeDecision } from '../db/decisions.ts';
import type { Proposal } from './decision.ts';
import { outcomeOf } from './outcome.ts';

/**
 * The members of an agreed decision's record, with current names and addresses; children's names are
 * shortened, their addresses left out. People it was hidden from aren't mentioned.
 *
 * @param facts the people's facts by uuid
 */
export function recordBody(
  { row, people }: WholeDecision,
  facts: ReadonlyMap<string, PersonFacts>,
): Record<string, unknown> {
  const proposal = row.proposal as Proposal;
  const { summary, when, where } = outcomeOf(row, proposal);
  const named = (person: string) => namesOf(facts.get(person));
  const acts = actsOf(people);
  const assumed = new Set(
    people.flatMap(({ person, answers }) =>
      answers.flatMap((given) => (given.assumed ? [`${given.question} ${person}`] : [])),
    ),
  );
  return {
    decision: {
      id: row.number,
      title: row.title,
      group: { id: printId('grp', row.group), name: row.group_name, address: `&${row.group_handle}` },
      questions: row.questions.map(({ id, kind, prompt, options }) => ({ id, kind, prompt, options })),
      needs: row.needs,
      started_by: row.starter_minor ? underAge : row.starter_address,
      started_at: row.started_at.toISOString(),
    },
    outcome: {
      version: proposal.version,
      summary,
      ...(when !== null && { when, ...(row.time_zone !== null && { time_zone: row.time_zone }) }),
      ...(where !== '' && { where }),
      answers: proposal.answers.map(({ question, answer, people: suited }) => ({
        question_id: question,
        ...(answer !== null && { answer }),
        people: suited.map((person) => ({ ...named(person), assumed: assumed.has(`${question} ${person}`) })),
      })),
      bring: proposal.bring.map(({ person, what, assumed }) => ({ ...named(person), what, assumed })),
    },
    approvals: people.flatMap(({ person, approval }) =>
      approval === null
        ? []
        : [
            {
              ...named(person),
              decision: approval.decision,
              by: approval.as,
              at: new Date(approval.at).toISOString(),
            },
          ],
    ),
    ...(acts.length > 0 && { acts }),
    status: 'agreed',
    settled_at: (row.settled_at as Date).toISOString(),
  };
}
