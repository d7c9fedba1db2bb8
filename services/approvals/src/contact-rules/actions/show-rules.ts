import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { printId } from '@hearth/ids';
import { ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import type { RequestRulesSchema, RulesProposalSchema } from '@hearth/proto/approvals/v1/request_rules';
import type { Call } from '@hearth/rpc';
import type { RulesContext } from '../context.ts';
import { countsOf } from '../db/rule-counts.ts';
import { findWaitingProposal, type ProposalRow } from '../db/rule-proposals.ts';
import { findRules } from '../db/rules.ts';
import { presetNames, presets } from '../domain/presets.ts';
import { toPresetNumber, toRows } from '../domain/read-rows.ts';
import { rulesFor } from '../domain/rules-of.ts';
import { someFromStored, toPreset } from '../domain/stored-rules.ts';
import { weekOf } from '../domain/week.ts';
import type { Subject } from './find-subject.ts';

const statuses: Record<ProposalRow['status'], ApprovalStatus> = {
  waiting: ApprovalStatus.WAITING,
  approved: ApprovalStatus.APPROVED,
  declined: ApprovalStatus.DECLINED,
  cancelled: ApprovalStatus.CANCELLED,
  expired: ApprovalStatus.EXPIRED,
};

/** The rules of somebody as they stand, with all that belongs to them. */
export async function showRules(
  { ais, clock, database }: Pick<RulesContext, 'ais' | 'clock' | 'database'>,
  { facts, minor }: Subject,
  call: Call,
): Promise<MessageInitShape<typeof RequestRulesSchema>> {
  const { db } = database;
  const [kept, proposal, turnedAway] = await Promise.all([
    findRules(db, [facts.id]),
    findWaitingProposal(db, facts.id),
    countsOf(db, facts.id, weekOf(clock.now()), 'turned_away'),
  ]);
  const { rows, preset, frontDoor } = rulesFor(kept.get(facts.id) ?? null, minor);
  const door =
    frontDoor === null ? undefined : (await ais.findAis({ ids: [frontDoor] }, { call })).results[0]?.facts;
  return {
    rules: toRows(rows),
    preset: toPresetNumber(preset),
    presets: presetNames.map((name) => ({ preset: toPresetNumber(name), rules: toRows(presets[name]) })),
    frontDoor: door?.owner === facts.id && !door.revoked ? door.address : undefined,
    proposal: proposal === null || proposal.expiresAt <= nowDate(clock) ? undefined : toProposal(proposal),
    turnedAway,
  };
}

export function toProposal(row: ProposalRow): MessageInitShape<typeof RulesProposalSchema> {
  return {
    id: printId('apr', row.id),
    by: row.aiAddress,
    preset: toPresetNumber(toPreset(row.preset)),
    changes: toRows(someFromStored(row.changes)),
    at: timestampFromDate(row.at),
    expiresAt: timestampFromDate(row.expiresAt),
    status: statuses[row.status],
  };
}
