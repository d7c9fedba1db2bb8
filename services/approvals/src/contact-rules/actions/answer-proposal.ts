import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Call } from '@hearth/rpc';
import type { RulesContext } from '../context.ts';
import { findProposal } from '../db/rule-proposals.ts';
import { callingPerson, mayChange, whoseRules } from './find-subject.ts';
import { showRules } from './show-rules.ts';

/**
 * The person's own word on a proposal, as a reply to its approval is: the rows that it named change, others stay as they
 * are by now.
 *
 * @throws bad_request (already_settled) for one that was answered, taken back, or ran out of time
 */
export async function answerProposal(
  context: RulesContext,
  id: string,
  decision: 'approved' | 'declined',
  call: Call,
) {
  const { asks, database, people } = context;
  const { caller } = call;
  callingPerson(caller);
  const subject = await whoseRules(people, undefined, caller);
  mayChange(subject);
  const uuid = parseId('apr', id);
  const proposal = uuid === null ? null : await findProposal(database.db, uuid);
  if (proposal?.person !== subject.facts.id) throw notFound();
  await asks.answer(proposal.id, { decision }, caller);
  return await showRules(context, subject, call);
}
