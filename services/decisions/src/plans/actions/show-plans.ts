import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { PlanOutcomeSchema, type Plan as Shown } from '@hearth/proto/decisions/v1/plans';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { receiptLink } from '@hearth/receipts';
import type { Caller } from '@hearth/rpc';
import { findLinks, type Link } from '../../shared/db/links.ts';
import type { Context } from '../context.ts';
import type { WholePlan } from '../db/plans.ts';
import { showAbroad } from './show-abroad.ts';
import { type Seen, shownTo } from './show-to.ts';

type Deps = Pick<Context, 'config' | 'database' | 'people' | 'sealer'>;

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
    context.people.everywhere.find(ids),
    findLinks(context.database.db, 'plan', items, caller),
  ]);
  return wholes.map((whole) => show(context, whole, caller, facts, links.get(whole.row.id)));
}

export async function showPlan(context: Deps, whole: WholePlan, caller: Caller): Promise<Shown> {
  const [shown] = await showPlans(context, [whole], caller);
  return shown as Shown;
}

/** The item of the caller's app that it led to. */
export function outcomeOf(link: Link | undefined): Pick<Shown, 'outcome'> {
  return link === undefined ? {} : { outcome: create(PlanOutcomeSchema, { itemRef: link.item_ref }) };
}

function show(
  { config, people, sealer }: Deps,
  whole: WholePlan,
  caller: Caller,
  facts: ReadonlyMap<string, PersonFacts>,
  link: Link | undefined,
): Shown {
  // Whoever acts from another home is told what that home is.
  if (caller.home !== '') return showAbroad(whole, facts).shown;
  const { row } = whole;
  const seen: Seen = (person) => {
    const known = facts.get(person);
    return known === undefined ? null : people.show(known, caller);
  };
  return {
    ...shownTo(whole, seen, proposerOf(whole, seen)),
    ...(row.signed_record !== null &&
      row.record !== null && { receipt: receiptLink(sealer, config.siteUrl, row.record) }),
    ...outcomeOf(link),
    ...(row.status === 'asked' && row.approval !== null && { approval: printId('apr', row.approval) }),
  };
}

/** The id of the AI of a child would lead to the child. */
function proposerOf({ row }: WholePlan, seen: Seen): string {
  const person = row.starter_person === null ? null : seen(row.starter_person);
  if (row.starter_kind === 'ai' && !(row.starter_minor && person?.shielded !== false))
    return printId('ai', row.starter);
  return person?.id ?? printId('per', row.starter_person ?? row.starter);
}
