import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import {
  type PlanOptionSchema,
  PlanSchema,
  type Plan as Shown,
  type StanceSchema,
} from '@hearth/proto/decisions/v1/plans';
import type { Person } from '@hearth/proto/identity/v1/resources';
import { goneName } from '../../shared/domain/starter.ts';
import type { WholePlan } from '../db/plans.ts';
import { stanceKinds, statuses } from '../domain/enum-names.ts';
import { askedOf, type Option, type Planner, type Stance, waitingOn } from '../domain/plan.ts';
import { courseOf } from '../domain/state.ts';

/** A person as a reader sees them; null for one whose account is gone. */
export type Seen = (person: string) => Person | null;

/** A plan in the words of one reader. @param by the id of the party that proposed it */
export function shownTo(whole: WholePlan, seen: Seen, by: string): Shown {
  const { row } = whole;
  const idOf = (person: string) => seen(person)?.id ?? printId('per', person);
  const course = courseOf(whole);
  return create(PlanSchema, {
    id: printId('pln', row.id),
    title: row.title,
    status: statuses.valueOf(row.status) || undefined,
    group: printId('grp', row.group),
    groupName: row.group_name,
    by,
    createdAt: timestampFromDate(row.started_at),
    ...(row.clash_at !== null && { clashAt: timestampFromDate(row.clash_at) }),
    settledOption: row.settled_option ?? undefined,
    options: row.options.map((option) => optionOf(option, whole, seen)),
    people: askedOf(whole).flatMap(({ person }) => seen(person) ?? []),
    waitingOn: waitingOn(course).map(({ person }) => idOf(person)),
    details: row.details ?? undefined,
    where: row.place ?? undefined,
    timeZone: row.time_zone ?? undefined,
    deadline: timestampFromDate(row.deadline_at),
    ...(row.hidden_from !== null && { hiddenFrom: idOf(row.hidden_from) }),
    why: row.why ?? undefined,
    reason: row.reason ?? undefined,
    ...(row.settled_at !== null && { settledAt: timestampFromDate(row.settled_at) }),
    ...(row.signed_record !== null && { record: JSON.parse(row.signed_record) }),
    revision: row.revision,
  });
}

function optionOf(
  { id, label, starts, ends }: Option,
  { row, people }: WholePlan,
  seen: Seen,
): MessageInitShape<typeof PlanOptionSchema> {
  const at = (instant: string) => timestampFromDate(new Date(instant));
  return {
    id,
    ...(label !== '' && { label }),
    ...(ends === null ? { date: starts } : { startsAt: at(starts), endsAt: at(ends) }),
    stances: people.flatMap((one) =>
      one.stances.filter(({ option }) => option === id).map((stance) => stanceOf(one, stance, seen)),
    ),
    ...(row.clash_at !== null && { chosen: people.filter(({ choice }) => choice === id).length }),
  };
}

function stanceOf(
  { person }: Planner,
  { stance, note, by, as, address, at }: Stance,
  seen: Seen,
): MessageInitShape<typeof StanceSchema> {
  const one = seen(person);
  const byOther = by !== person;
  // The address of a child's AI or guardian would lead to the child.
  const shielded = one?.shielded ?? true;
  return {
    person: one?.id ?? printId('per', person),
    name: one?.name ?? goneName,
    handle: one?.handle ?? undefined,
    ...(byOther && { by: shielded ? (as === 'ai' ? 'ai' : 'guardian') : address }),
    stance: stanceKinds.valueOf(stance),
    ...(note !== '' && { note }),
    at: timestampFromMs(at),
  };
}
