import { homesOf, type Told } from '@hearth/home-acts';
import { printId } from '@hearth/ids';
import type { PlanSchema } from '@hearth/proto/decisions/v1/plans';
import type { Context } from '../context.ts';
import type { WholePlan } from '../db/plans.ts';
import { seatsOf } from '../domain/seats.ts';
import { showAbroad } from './show-abroad.ts';

/** A plan (uuid) as the homes of its people are told of it; null for one that there is not. */
export async function planForHomes(
  { plans, people }: Pick<Context, 'plans' | 'people'>,
  id: string,
): Promise<Told<typeof PlanSchema> | null> {
  const found = await plans.find(id);
  if (found === null) return null;
  const { row } = found;
  const named = [...found.people.map(({ person }) => person), row.starter_person, row.hidden_from];
  const facts = await people.everywhere.find(named.filter((one) => one !== null));
  const { shown, away } = showAbroad(found, facts);
  return {
    ...{
      id: printId('pln', id),
      message: shown,
      final: isOver(found),
      homes: isSeen(found) ? homesOf(away) : [],
    },
    spare: ['record', 'details', 'options.stances'],
  };
}

/** No one sees a plan that has not begun, or never did. */
const isSeen = (found: WholePlan) => seatsOf(found).length > 0;

const isOver = ({ row }: WholePlan) =>
  row.status === 'cancelled' || (row.status === 'settled' && row.signed_record !== null);
