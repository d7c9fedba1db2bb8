import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import {
  type PlanOptionSchema,
  PlanSchema,
  type Plan as Shown,
  type StanceSchema,
} from '@hearth/proto/decisions/v1/plans';
import { shownAwaited } from '../../shared/domain/awaited.ts';
import type { Reader } from '../../shared/domain/reader.ts';
import type { WholePlan } from '../db/plans.ts';
import { stanceKinds, statuses } from '../domain/enum-names.ts';
import { askedOf, awaited, type Option, type Planner, type Stance } from '../domain/plan.ts';
import { courseOf } from '../domain/state.ts';

/** The plan as this reader may see it. */
export function shownTo(whole: WholePlan, reader: Reader): Shown {
  const { row } = whole;
  const course = courseOf(whole);
  return create(PlanSchema, {
    id: printId('pln', row.id),
    title: row.title,
    status: statuses.valueOf(row.status) || undefined,
    group: printId('grp', row.group),
    groupName: row.group_name,
    by: reader.starter(row).id,
    createdAt: timestampFromDate(row.started_at),
    ...(row.clash_at !== null && { clashAt: timestampFromDate(row.clash_at) }),
    settledOption: row.settled_option ?? undefined,
    options: row.options.map((option) => optionOf(option, whole, reader)),
    people: askedOf(whole).flatMap(({ person }) => reader.person(person) ?? []),
    waitingOn: shownAwaited(awaited(course, row.starter_person), reader),
    details: row.details ?? undefined,
    where: row.place ?? undefined,
    timeZone: row.time_zone ?? undefined,
    deadline: timestampFromDate(row.deadline_at),
    ...(row.hidden_from !== null && { hiddenFrom: reader.id(row.hidden_from) }),
    why: row.why ?? undefined,
    reason: row.reason ?? undefined,
    ...(row.settled_at !== null && { settledAt: timestampFromDate(row.settled_at) }),
    ...(row.signed_record !== null && { record: JSON.parse(row.signed_record) }),
    revision: row.revision,
    ...(row.status === 'asked' && row.approval !== null && { approval: printId('apr', row.approval) }),
  });
}

function optionOf(
  { id, label, starts, ends }: Option,
  { row, people }: WholePlan,
  reader: Reader,
): MessageInitShape<typeof PlanOptionSchema> {
  const at = (instant: string) => timestampFromDate(new Date(instant));
  return {
    id,
    ...(label !== '' && { label }),
    ...(ends === null ? { date: starts } : { startsAt: at(starts), endsAt: at(ends) }),
    stances: people.flatMap((person) =>
      person.stances.filter(({ option }) => option === id).map((stance) => stanceOf(person, stance, reader)),
    ),
    ...(row.clash_at !== null && { chosen: people.filter(({ choice }) => choice === id).length }),
  };
}

function stanceOf(
  { person }: Planner,
  { stance, note, by, as, address, at }: Stance,
  reader: Reader,
): MessageInitShape<typeof StanceSchema> {
  const one = reader.person(person);
  const byOther = by !== person;
  // The address of a child's AI or guardian would identify the child.
  const shielded = one?.shielded ?? true;
  return {
    person: reader.id(person),
    name: reader.name(person),
    handle: one?.handle ?? undefined,
    ...(byOther && { by: shielded ? (as === 'ai' ? 'ai' : 'guardian') : address }),
    stance: stanceKinds.valueOf(stance),
    ...(note !== '' && { note }),
    at: timestampFromMs(at),
  };
}
