import { homesOf, type Told } from '@hearth/home-acts';
import type { DecisionSchema } from '@hearth/proto/decisions/v1/decisions';
import type { Context } from '../context.ts';
import { showAbroad } from './show-abroad.ts';

/** A decision (uuid) as the homes of its people are told of it; null for one that there is not. */
export async function decisionForHomes(
  { decisions, people }: Pick<Context, 'decisions' | 'people'>,
  id: string,
): Promise<Told<typeof DecisionSchema> | null> {
  const found = await decisions.find(id);
  if (found === null) return null;
  const { row } = found;
  const named = [...found.people.map(({ person }) => person), row.starter_person, row.hidden_from];
  const facts = await people.everywhere.find(named.filter((one) => one !== null));
  const { shown, away } = showAbroad(found, facts, '');
  const final = row.status === 'cancelled' || (row.status === 'agreed' && row.signed_record !== null);
  return {
    ...{ id: row.number, message: shown, final, homes: homesOf(away) },
    spare: ['record', 'answers', 'details', 'proposal.answers', 'proposal.approvals', 'proposal.bring'],
  };
}
