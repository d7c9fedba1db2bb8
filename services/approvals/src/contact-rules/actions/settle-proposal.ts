import type { UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { findProposal, settleProposal as markSettled, type ProposalRow } from '../db/rule-proposals.ts';
import { lockRules, type RulesRow, saveRules } from '../db/rules.ts';
import { rulesChanged } from '../domain/events.ts';
import { withRows } from '../domain/rules.ts';
import { rulesFor } from '../domain/rules-of.ts';
import { someFromStored, toStored } from '../domain/stored-rules.ts';

/** The outcome of a proposal, by its approval's uuid. */
export interface SettledProposal extends Pick<ProposalRow, 'id' | 'status'> {
  at: Date;
}

/**
 * Applies the outcome of a proposal's approval in the same transaction: if approved, the proposed rows
 * replace the present ones.
 */
export async function settleProposal(
  tx: UnitOfWork,
  { id, status, at }: SettledProposal,
  caller: Caller | undefined,
): Promise<void> {
  const proposal = await findProposal(tx, id);
  if (proposal === null) return;
  await markSettled(tx, id, status, at);
  if (status !== 'approved') return;
  const kept = await lockRules(tx, proposal.person);
  await saveRules(tx, accepted(kept, proposal), at);
  tx.announce(rulesChanged({ id: proposal.person, app: proposal.app ?? '' }, caller));
}

/** Children get no proposals, so these are an adult's rules. */
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
