import type { Tx } from '@hearth/db';
import type { Outbox, OutboxRow } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { ApprovalStatus } from '../../asks/db/approvals.ts';
import { findProposal, settleProposal as markSettled, type ProposalRow } from '../db/rule-proposals.ts';
import { lockRules, type RulesRow, saveRules } from '../db/rules.ts';
import { rulesChanged } from '../domain/events.ts';
import { withRows } from '../domain/rules.ts';
import { rulesFor } from '../domain/rules-of.ts';
import { someFromStored, toStored } from '../domain/stored-rules.ts';

/**
 * What a proposal of rules comes to when its approval settles, however that happens: the rows that it names change when it
 * was approved. What is announced of that, in the same transaction.
 *
 * @param id uuid of the approval
 */
export async function settleProposal(
  outbox: Pick<Outbox, 'row'>,
  tx: Tx,
  { id, status, at }: { id: string; status: ApprovalStatus; at: Date },
  caller: Caller | undefined,
): Promise<OutboxRow[]> {
  const proposal = await findProposal(tx, id);
  if (proposal === null) return [];
  await markSettled(tx, id, status, at);
  if (status !== 'approved') return [];
  const kept = await lockRules(tx, proposal.person);
  await saveRules(tx, accepted(kept, proposal), at);
  return [rulesChanged(outbox, { id: proposal.person, app: proposal.app ?? '' }, caller)];
}

/** Nobody proposes rules for somebody under 18. */
function accepted(kept: RulesRow | null, { person, preset, changes }: ProposalRow): RulesRow {
  const present = rulesFor(kept, false);
  return {
    person,
    preset: preset ?? present.preset,
    rows: toStored(withRows(present.rows, someFromStored(changes))),
    frontDoor: present.frontDoor,
    byGuardian: false,
  };
}
