import { printId } from '@hearth/ids';
import { underAge } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actsOf } from '../../shared/domain/member.ts';
import { namesOf } from '../../shared/domain/record-names.ts';
import type { WholePlan } from '../db/plans.ts';
import { settledOption } from './outcome.ts';
import { askedOf, type Option } from './plan.ts';

/**
 * The members of a settled plan's record, with current names and addresses; children's names are shortened,
 * their addresses left out. People it was hidden from aren't mentioned.
 *
 * @param facts the people's facts by uuid
 */
export function recordBody(
  whole: WholePlan,
  facts: ReadonlyMap<string, PersonFacts>,
): Record<string, unknown> {
  const { row } = whole;
  const acts = actsOf(whole.people);
  return {
    plan: {
      id: printId('pln', row.id),
      title: row.title,
      group: { id: printId('grp', row.group), name: row.group_name, address: `&${row.group_handle}` },
      options: row.options.map(printed),
      proposed_by: row.starter_minor ? underAge : row.starter_address,
      proposed_at: row.started_at.toISOString(),
    },
    outcome: {
      option: row.settled_option,
      ...timesOf(settledOption(row)),
      ...(row.time_zone !== null && { time_zone: row.time_zone }),
      ...(row.place !== null && { where: row.place }),
    },
    people: askedOf(whole).map(({ person, stances, choice }) => ({
      ...namesOf(facts.get(person)),
      stances: stances.map(({ option, stance, as, at }) => ({
        option,
        stance,
        by: as,
        at: new Date(at).toISOString(),
      })),
      ...(choice !== null && { chose: choice }),
    })),
    ...(acts.length > 0 && { acts }),
    status: 'settled',
    settled_at: (row.settled_at as Date).toISOString(),
  };
}

function printed(option: Option) {
  const { id, label } = option;
  return { id, ...(label !== '' && { label }), ...timesOf(option) };
}

const timesOf = ({ starts, ends }: Option) =>
  ends === null ? { date: starts } : { starts_at: starts, ends_at: ends };
