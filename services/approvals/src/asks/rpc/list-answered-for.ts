import { notFound } from '@hearth/errors';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { showApprovals } from '../actions/show-approvals.ts';
import type { Context } from '../context.ts';
import { listAnsweredFor as findAnsweredFor } from '../db/lists.ts';

const mostApprovals = 20;

export const listAnsweredFor =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.listAnsweredFor> =>
  async ({ child }, { caller }) => {
    const facts = (await context.people.find([child])).get(child);
    if (facts === undefined || !facts.guardians.includes(caller.id)) throw notFound();
    const answered = await findAnsweredFor(context.database.db, child, mostApprovals);
    return { approvals: await showApprovals(context, answered, caller) };
  };
