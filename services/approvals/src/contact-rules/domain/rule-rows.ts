import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { badField, badRequest } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { ApprovalStatusSchema } from '@hearth/proto/approvals/v1/approvals';
import {
  type Rule as ProtoRule,
  type RuleRows as ProtoRuleRows,
  RuleActionSchema,
  type RulesPreset,
  RulesPresetSchema,
  type RulesProposalSchema,
} from '@hearth/proto/approvals/v1/request_rules';
import { type RequestKindName, requestKinds } from '../../shared/domain/request-kinds.ts';
import type { ProposalRow } from '../db/rule-proposals.ts';
import { type PresetName, presets } from './presets.ts';
import { isEmpty, type Rule, ruleActions, type SomeRows, withRows } from './rules.ts';
import type { Rules } from './rules-of.ts';
import { someFromStored, toPreset } from './stored-rules.ts';

const actions = enumNames(RuleActionSchema);
const presetValues = enumNames(RulesPresetSchema);
const statuses = enumNames(ApprovalStatusSchema);

interface Requested {
  preset?: RulesPreset | undefined;
  rules?: ProtoRuleRows | undefined;
}

/** Rules, and the preset they started from. */
export type Wanted = Pick<Rules, 'preset' | 'rows'>;

/** The requested rules: a preset with changed rows, or the present rules with changed rows. */
export function wantedRules({ preset, rules }: Requested, present: Wanted): Wanted {
  const name = preset === undefined ? null : toPreset(presetValues.nameOf(preset));
  const changes = readRows(rules);
  if (name === null && isEmpty(changes)) {
    throw badRequest('give a preset, rules, or both', { code: 'bad_field', field: 'rules' });
  }
  return {
    preset: name ?? present.preset,
    rows: withRows(name === null ? present.rows : presets[name], changes),
  };
}

/** The rows in the request. */
export function readRows(rules: ProtoRuleRows | undefined): SomeRows {
  const given = requestKinds.flatMap((kind): [RequestKindName, Rule][] => {
    const row = rules?.[kind];
    return row === undefined ? [] : [[kind, readRule(kind, row)]];
  });
  return Object.fromEntries(given);
}

function readRule(kind: RequestKindName, { action, checkedOnly, weeklyCap }: ProtoRule): Rule {
  const known = ruleActions.find((name) => name === actions.nameOf(action));
  if (known === undefined)
    throw badField(`rules.${kind}.action`, 'must be ask, front_door, decline or turn_away');
  return { action: known, checkedOnly: checkedOnly ?? false, weeklyCap: weeklyCap ?? null };
}

export function toRows(rows: SomeRows): Record<string, object> {
  const shown = requestKinds.flatMap((kind) => {
    const rule = rows[kind];
    return rule === undefined ? [] : [[kind, toRule(rule)] as const];
  });
  return Object.fromEntries(shown);
}

function toRule({ action, checkedOnly, weeklyCap }: Rule) {
  return { action: actions.valueOf(action), checkedOnly, weeklyCap: weeklyCap ?? undefined };
}

export function toPresetValue(preset: PresetName | null): RulesPreset | undefined {
  return preset === null ? undefined : presetValues.valueOf(preset);
}

export function toProposal(row: ProposalRow): MessageInitShape<typeof RulesProposalSchema> {
  return {
    id: printId('apr', row.id),
    by: row.aiAddress,
    preset: toPresetValue(toPreset(row.preset)),
    changes: toRows(someFromStored(row.changes)),
    at: timestampFromDate(row.at),
    expiresAt: timestampFromDate(row.expiresAt),
    status: statuses.valueOf(row.status),
  };
}
