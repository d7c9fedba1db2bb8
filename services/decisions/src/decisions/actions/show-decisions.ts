import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import {
  DecisionOutcomeSchema,
  type DecisionStarterSchema,
  type Decision as Shown,
} from '@hearth/proto/decisions/v1/decisions';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { receiptLink } from '@hearth/receipts';
import type { Caller } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { findLinks, type Link } from '../../shared/db/links.ts';
import { goneName, goneStarter } from '../../shared/domain/starter.ts';
import type { Context } from '../context.ts';
import type { WholeDecision } from '../db/decisions.ts';
import { showAbroad } from './show-abroad.ts';
import { type Names, shownTo, type View } from './show-to.ts';

type Deps = Pick<Context, 'config' | 'database' | 'people' | 'sealer'>;

/** Decisions as the caller may see them, in that order. */
export async function showDecisions(
  context: Deps,
  wholes: readonly WholeDecision[],
  caller: Caller,
): Promise<Shown[]> {
  const ids = wholes.flatMap(({ row, people }) => [
    ...people.map(({ person }) => person),
    ...(row.starter_person === null ? [] : [row.starter_person]),
    ...(row.hidden_from === null ? [] : [row.hidden_from]),
  ]);
  const [facts, links] = await Promise.all([
    context.people.everywhere.find(ids),
    findLinks(
      context.database.db,
      'decision',
      wholes.map(({ row }) => row.id),
      caller,
    ),
  ]);
  return wholes.map((whole) => show(context, whole, caller, facts, links.get(whole.row.id)));
}

export async function showDecision(context: Deps, whole: WholeDecision, caller: Caller): Promise<Shown> {
  const [shown] = await showDecisions(context, [whole], caller);
  return shown as Shown;
}

function show(
  context: Deps,
  whole: WholeDecision,
  caller: Caller,
  facts: ReadonlyMap<string, PersonFacts>,
  link: Link | undefined,
): Shown {
  // Whoever acts from another home is told what that home is.
  if (caller.home !== '') return showAbroad(whole, facts, viewerIdOf(caller)).shown;
  const { config, sealer } = context;
  const { row } = whole;
  const viewer = viewerIdOf(caller);
  const { named, ...names } = viewOf(context, facts, caller);
  const view: View = {
    ...names,
    viewer,
    sees: viewer === row.group_ai || viewer === caller.app ? 'all' : 'own',
    groupAi: printId('ai', row.group_ai),
    askedBy: starterOf(whole, caller, named(row.starter_person ?? row.starter)),
  };
  return {
    ...shownTo(view, whole),
    ...(row.signed_record !== null &&
      row.record !== null && { receipt: receiptLink(sealer, config.siteUrl, row.record) }),
    ...outcomeOf(link),
  };
}

/** The items of the caller's app that it led to. */
export function outcomeOf(link: Link | undefined): Pick<Shown, 'outcome'> {
  if (link === undefined) return {};
  const { item_ref: itemRef, list_ref: listRef } = link;
  return { outcome: create(DecisionOutcomeSchema, { itemRef, listRef: listRef ?? undefined }) };
}

export function viewOf(
  { people }: Pick<Deps, 'people'>,
  facts: ReadonlyMap<string, PersonFacts>,
  caller: Caller,
) {
  // A decision names the same few people many times.
  const shown = new Map<string, ReturnType<typeof people.show>>();
  const named = (id: string) => {
    const known = facts.get(id);
    if (known === undefined) return null;
    const person = shown.get(id) ?? people.show(known, caller);
    shown.set(id, person);
    return person;
  };
  const names: Names = {
    id: (id) => named(id)?.id ?? printId('per', id),
    name: (id) => named(id)?.name ?? goneName,
  };
  return { named, ...names };
}

function starterOf(
  { row }: WholeDecision,
  caller: Caller,
  person: { id: string; name: string; address: string; shielded: boolean } | null,
): MessageInitShape<typeof DecisionStarterSchema> {
  const byApp = caller.app !== '';
  if (row.starter_person !== null && person === null) return goneStarter;
  // The address of a child's AI holds the child's handle.
  if (row.starter_minor && person?.shielded)
    return { name: row.starter_name, address: person.address, ...(byApp && { id: person.id }) };
  const id = row.starter_kind === 'ai' ? printId('ai', row.starter) : person?.id;
  return { name: row.starter_name, address: row.starter_address, ...(byApp && id !== undefined && { id }) };
}
