import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findProposal } from '../db/rule-proposals.ts';
import { findSubject, mayChange } from './find-subject.ts';
import { showRules } from './show-rules.ts';

/**
 * Answers a proposal for the caller, like a reply to its approval: the proposed rows change, all others stay
 * as they are now.
 *
 * @throws bad_request (already_settled) for a proposal that was answered, withdrawn, or has expired
 */
export async function answerProposal(
  context: Context,
  id: string,
  decision: 'approved' | 'declined',
  call: Call,
) {
  const { caller } = call;
  const subject = await findSubject(context, undefined, caller);
  mayChange(subject);
  const uuid = parseId('apr', id);
  const proposal = uuid === null ? null : await findProposal(context.database.db, uuid);
  if (proposal?.person !== subject.facts.id) throw notFound();
  await context.asks().answer(proposal.id, { decision }, caller);
  return await showRules(context, subject, call);
}
