import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import {
  type PlanOptionSchema,
  PlanSchema,
  type Plan as Shown,
  type StanceSchema,
} from '@hearth/proto/decisions/v1/plans';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { receiptLink } from '@hearth/receipts';
import type { Caller } from '@hearth/rpc';
import { findLinks, type Link } from '../../shared/db/links.ts';
import { goneName } from '../../shared/domain/starter.ts';
import type { Context } from '../context.ts';
import type { WholePlan } from '../db/plans.ts';
import { stanceKinds, statuses } from '../domain/enum-names.ts';
import { askedOf, type Option, type Planner, type Stance, waitingOn } from '../domain/plan.ts';
import { courseOf } from '../domain/state.ts';

type Deps = Pick<Context, 'config' | 'database' | 'people' | 'sealer'>;
/** A person as the caller sees them; null for one whose account is gone. */
type Seen = (person: string) => ReturnType<Deps['people']['show']> | null;

/** Plans as the caller may see them, in that order. */
export async function showPlans(
  context: Deps,
  wholes: readonly WholePlan[],
  caller: Caller,
): Promise<Shown[]> {
  const ids = wholes.flatMap(({ row, people }) => [
    ...people.map(({ person }) => person),
    ...people.flatMap(({ guardians }) => guardians),
    ...[row.starter_person, row.hidden_from].filter((id) => id !== null),
  ]);
  const items = wholes.map(({ row }) => row.id);
  const [facts, links] = await Promise.all([
    context.people.find(ids),
    caller.app === '' ? new Map<string, Link>() : findLinks(context.database.db, caller.app, 'plan', items),
  ]);
  return wholes.map((whole) => show(context, whole, caller, facts, links.get(whole.row.id)));
}

export async function showPlan(context: Deps, whole: WholePlan, caller: Caller): Promise<Shown> {
  const [shown] = await showPlans(context, [whole], caller);
  return shown as Shown;
}

function show(
  { config, people, sealer }: Deps,
  whole: WholePlan,
  caller: Caller,
  facts: ReadonlyMap<string, PersonFacts>,
  link: Link | undefined,
): Shown {
  const { row } = whole;
  const seen: Seen = (person) => {
    const known = facts.get(person);
    return known === undefined ? null : people.show(known, caller);
  };
  const idOf = (person: string) => seen(person)?.id ?? printId('per', person);
  const course = courseOf(whole);
  return create(PlanSchema, {
    id: printId('pln', row.id),
    title: row.title,
    status: statuses.valueOf(row.status) || undefined,
    group: printId('grp', row.group),
    by: proposerOf(whole, seen),
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
    ...(row.settled_at !== null && { settledAt: timestampFromDate(row.settled_at) }),
    ...(row.signed_record !== null &&
      row.record !== null && {
        record: JSON.parse(row.signed_record),
        receipt: receiptLink(sealer, config.siteUrl, row.record),
      }),
    ...(link !== undefined && { outcome: { itemRef: link.item_ref } }),
    revision: row.revision,
    ...(row.status === 'asked' && row.approval !== null && { approval: printId('apr', row.approval) }),
  });
}

/** The id of the AI of a child would lead to the child. */
function proposerOf({ row }: WholePlan, seen: Seen): string {
  const person = row.starter_person === null ? null : seen(row.starter_person);
  if (row.starter_kind === 'ai' && !(row.starter_minor && person?.shielded !== false))
    return printId('ai', row.starter);
  return person?.id ?? printId('per', row.starter_person ?? row.starter);
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
