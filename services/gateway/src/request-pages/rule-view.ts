import { enumNames } from '@hearth/enum-names';
import {
  type RuleRows as ProtoRows,
  type Rule as ProtoRule,
  type RequestRules,
  RuleActionSchema,
  RulesPresetSchema,
} from '@hearth/proto/approvals/v1/request_rules';
import {
  oneOf,
  type Rule,
  type RulePreset,
  type RuleRows,
  type Rules,
  requestKinds,
  ruleActions,
  rulePresets,
} from '@hearth/web';
import { msOf } from '../pages/module.ts';

/** The default for a row that the service left out: the request reaches the person. */
const usual: Rule = { action: 'ask', checkedOnly: false, weeklyCap: null };

/** Every row, with defaults for those that the service left out. */
export function rowsOf(rows: ProtoRows | undefined): RuleRows {
  const named = someRowsOf(rows);
  return Object.fromEntries(requestKinds.map((kind) => [kind, named[kind] ?? usual])) as unknown as RuleRows;
}

/** The rows that the service named. */
function someRowsOf(rows: ProtoRows | undefined): Partial<RuleRows> {
  const named = requestKinds.flatMap((kind) => {
    const rule = rows?.[kind];
    return rule === undefined ? [] : [[kind, ruleOf(rule)] as const];
  });
  return Object.fromEntries(named);
}

function ruleOf({ action, checkedOnly, weeklyCap }: ProtoRule): Rule {
  return {
    action: oneOf(ruleActions, enumNames(RuleActionSchema).nameOf(action)) ?? usual.action,
    checkedOnly: checkedOnly ?? false,
    weeklyCap: weeklyCap ?? null,
  };
}

function presetOf(preset: number | undefined): RulePreset | undefined {
  return oneOf(rulePresets, enumNames(RulesPresetSchema).nameOf(preset ?? 0));
}

/** The rows of a preset. */
export function rowsOfPreset({ presets }: RequestRules, preset: RulePreset): RuleRows | null {
  const found = presets.find((each) => presetOf(each.preset) === preset);
  return found === undefined ? null : rowsOf(found.rules);
}

/** The rules as their page shows them. */
export function rulesView(rules: RequestRules): Omit<Rules, 'ais'> {
  const { proposal, frontDoor, turnedAway } = rules;
  return {
    rows: rowsOf(rules.rules),
    preset: presetOf(rules.preset),
    frontDoor,
    turnedAway: Object.fromEntries(requestKinds.map((kind) => [kind, turnedAway[kind] ?? 0])),
    proposal: proposal && {
      id: proposal.id,
      by: proposal.by,
      preset: presetOf(proposal.preset),
      changes: someRowsOf(proposal.changes),
      atMs: msOf(proposal.at) ?? 0,
    },
  };
}
