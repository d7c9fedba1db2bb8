import { type Db, fragment, named, type Tx } from '@hearth/db';
import type { Stored } from '../domain/stored-rules.ts';

export interface ProposalRow {
  /** uuid */
  id: string;
  /** uuid of the person whose rules would change. */
  person: string;
  /** uuid of the app that manages the person. */
  app: string | null;
  /** uuid of the proposing AI, and its address at that time. */
  ai: string;
  aiAddress: string;
  preset: string | null;
  /** The rows that would change, with their new values. */
  changes: Record<string, Stored>;
  status: 'waiting' | 'approved' | 'declined' | 'cancelled' | 'expired';
  at: Date;
  expiresAt: Date;
}

const columns = fragment`
  id, person, app, ai, ai_address as "aiAddress", preset, changes, status, at, expires_at as "expiresAt"`;

/** The person's unanswered proposal, even if it has expired and the job hasn't stored that yet. */
export async function findWaitingProposal(db: Db, person: string): Promise<ProposalRow | null> {
  return await db.maybeOne<ProposalRow>(named('approvals_find_waiting_proposal')`
    select ${columns} from approvals.rule_proposals where person = ${person} and status = 'waiting'`);
}

export async function findProposal(db: Db, id: string): Promise<ProposalRow | null> {
  return await db.maybeOne<ProposalRow>(named('approvals_find_proposal')`
    select ${columns} from approvals.rule_proposals where id = ${id}`);
}

/** Returns false if another proposal is waiting. */
export async function insertProposal(tx: Tx, proposal: ProposalRow): Promise<boolean> {
  const written = await tx.execute(named('approvals_insert_proposal')`
    insert into approvals.rule_proposals (id, person, app, ai, ai_address, preset, changes, status, at, expires_at)
    values (${proposal.id}, ${proposal.person}, ${proposal.app}, ${proposal.ai}, ${proposal.aiAddress},
      ${proposal.preset}, ${JSON.stringify(proposal.changes)}, ${proposal.status}, ${proposal.at},
      ${proposal.expiresAt})
    on conflict (person) where status = 'waiting' do nothing`);
  return written === 1;
}

export async function settleProposal(
  tx: Tx,
  id: string,
  status: ProposalRow['status'],
  at: Date,
): Promise<void> {
  await tx.execute(named('approvals_settle_proposal')`
    update approvals.rule_proposals set status = ${status}, settled_at = ${at} where id = ${id}`);
}
