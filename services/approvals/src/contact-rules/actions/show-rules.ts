import type { MessageInitShape } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import type { RequestRulesSchema } from '@hearth/proto/approvals/v1/request_rules';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { countsOf } from '../db/rule-counts.ts';
import { findWaitingProposal } from '../db/rule-proposals.ts';
import { findRules } from '../db/rules.ts';
import { presetNames, presets } from '../domain/presets.ts';
import { toPresetValue, toProposal, toRows } from '../domain/rule-rows.ts';
import { rulesFor } from '../domain/rules-of.ts';
import { weekOf } from '../domain/week.ts';
import type { Subject } from './find-subject.ts';

/** A person's rules, with the waiting proposal and this week's refusals. */
export async function showRules(
  { ais, clock, database }: Context,
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
    preset: toPresetValue(preset),
    presets: presetNames.map((name) => ({ preset: toPresetValue(name), rules: toRows(presets[name]) })),
    frontDoor: door?.owner === facts.id && !door.revoked ? door.address : undefined,
    proposal: proposal === null || proposal.expiresAt <= nowDate(clock) ? undefined : toProposal(proposal),
    turnedAway,
  };
}
