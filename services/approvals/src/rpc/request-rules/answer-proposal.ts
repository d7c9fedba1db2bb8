import { badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Call } from '@hearth/rpc';
import { lockProposal, type ProposalRow, settleProposal } from '../../db/rule-proposals.ts';
import { lockRules, type RulesRow, saveRules } from '../../db/rules.ts';
import { withRows } from '../../domain/rules.ts';
import { rulesFor } from '../../domain/rules-of.ts';
import { someFromStored, toStored } from '../../domain/stored-rules.ts';
import { rulesChanged } from '../../events/announce-rules.ts';
import type { RulesContext } from '../../rules-context.ts';
import { showRules } from './show-rules.ts';
import { callingPerson, mayChange, whoseRules } from './whose-rules.ts';

/** The person's own word on a proposal: the rows that it named change, others stay as they are by now. */
export async function answerProposal(
  context: RulesContext,
  id: string,
  decision: 'approved' | 'declined',
  call: Call,
) {
  const { clock, database, outbox, people } = context;
  const { caller } = call;
  callingPerson(caller);
  const subject = await whoseRules(people, undefined, caller);
  mayChange(subject);
  const { facts, minor } = subject;
  const uuid = parseId('apr', id);
  if (uuid === null) throw notFound();
  const changed = rulesChanged(outbox, facts, caller);
  await database.transaction(async (tx) => {
    const kept = await lockRules(tx, facts.id);
    const proposal = await lockProposal(tx, facts.id, uuid);
    if (proposal === null) throw notFound();
    if (proposal.status !== 'waiting')
      throw badRequest(`this proposal was ${proposal.status} already`, { code: 'already_settled' });
    const now = new Date(clock.now());
    await settleProposal(tx, uuid, decision, now);
    if (decision === 'declined') return;
    await saveRules(tx, accepted(kept, proposal, minor), now);
    await outbox.announce(tx, [changed]);
  });
  if (decision === 'approved') outbox.committed([changed]);
  return await showRules(context, subject, call);
}

function accepted(kept: RulesRow | null, { person, preset, changes }: ProposalRow, minor: boolean): RulesRow {
  const present = rulesFor(kept, minor);
  return {
    person,
    preset: preset ?? present.preset,
    rows: toStored(withRows(present.rows, someFromStored(changes))),
    frontDoor: present.frontDoor,
    byGuardian: minor,
  };
}
