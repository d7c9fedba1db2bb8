import { badField, forbidden } from '@hearth/errors';
import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { findToldElsewhere } from '../../shared/actions/elsewhere.ts';
import { putLink } from '../../shared/db/links.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';

/** Links a decision or plan to an item of an app that sees it, for itself or for a person. The last link wins. */
export const linkOutcome =
  (context: Context): UnaryHandler<typeof DecisionsService.method.linkOutcome> =>
  async ({ kind, id, itemRef, listRef }, { caller }) => {
    if (caller.app === '') throw forbidden('outcomes are linked by apps, which have items of their own');
    const linked =
      kind === 'plan' ? await findSettledPlan(context, id, caller) : await findAgreed(context, id, caller);
    if (linked.kind === 'plan' && listRef !== undefined)
      throw badField('list_ref', 'is for a decision; a plan has item_ref alone');
    const link = { item_ref: itemRef, list_ref: listRef ?? null };
    await context.commit((tx) => putLink(tx, caller.app, linked.kind, linked.id, link));
    return { kind, id: linked.shown, outcome: { itemRef, listRef } };
  };

async function findAgreed(context: Context, reference: string, caller: Caller) {
  const copy = await findToldElsewhere(context, reference, caller);
  const row =
    copy === null
      ? (await course.findVisible(context, reference, caller, true)).row
      : { ...copy, number: copy.reference };
  if (row.status !== 'agreed') throw badField('id', `must be an agreed decision; this one is ${row.status}`);
  return { kind: 'decision', id: row.id, shown: row.number } as const;
}

async function findSettledPlan({ plans }: Context, reference: string, caller: Caller) {
  const { id, status } = await plans.findTold(reference, caller);
  if (status !== 'settled') throw badField('id', `must be a settled plan; this one is ${status}`);
  return { kind: 'plan', id, shown: reference } as const;
}
