import { badField, badRequest } from '@hearth/errors';
import {
  type Rule as ProtoRule,
  RuleAction as ProtoRuleAction,
  type RuleRows as ProtoRuleRows,
  RulesPreset,
} from '@hearth/proto/approvals/v1/request_rules';
import { type RequestKindWord, requestKinds } from '../../shared/domain/request-kinds.ts';
import { type PresetName, presetNames, presets } from './presets.ts';
import { isEmpty, type Rule, type RuleAction, type RuleRows, type SomeRows, withRows } from './rules.ts';

const actions: Record<RuleAction, ProtoRuleAction> = {
  ask: ProtoRuleAction.ASK,
  front_door: ProtoRuleAction.FRONT_DOOR,
  decline: ProtoRuleAction.DECLINE,
  turn_away: ProtoRuleAction.TURN_AWAY,
};

const presetNumbers: Record<PresetName, RulesPreset> = {
  just_me: RulesPreset.JUST_ME,
  family: RulesPreset.FAMILY,
  job_seeker: RulesPreset.JOB_SEEKER,
  founder: RulesPreset.FOUNDER,
  freelancer: RulesPreset.FREELANCER,
  public_figure: RulesPreset.PUBLIC_FIGURE,
};

interface Asked {
  preset?: RulesPreset | undefined;
  rules?: ProtoRuleRows | undefined;
}

/** Rules as somebody wants them, and where they start from. */
export interface Wanted {
  preset: PresetName | null;
  rows: RuleRows;
}

/** A starting point with the rows that differ from it, or the present rules with those that shall change. */
export function wantedRules({ preset, rules }: Asked, present: Wanted): Wanted {
  const name = presetNames.find((each) => presetNumbers[each] === preset) ?? null;
  const changes = readRows(rules);
  if (name === null && isEmpty(changes)) {
    throw badRequest('give a preset, rules, or both', { code: 'bad_field', field: 'rules' });
  }
  return {
    preset: name ?? present.preset,
    rows: withRows(name === null ? present.rows : presets[name], changes),
  };
}

/** The rows that were given. */
export function readRows(rules: ProtoRuleRows | undefined): SomeRows {
  const given = requestKinds.flatMap((kind): [RequestKindWord, Rule][] => {
    const row = rules?.[kind];
    return row === undefined ? [] : [[kind, readRule(kind, row)]];
  });
  return Object.fromEntries(given);
}

function readRule(kind: RequestKindWord, { action, checkedOnly, weeklyCap }: ProtoRule): Rule {
  const known = (Object.keys(actions) as RuleAction[]).find((word) => actions[word] === action);
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
  return { action: actions[action], checkedOnly, weeklyCap: weeklyCap ?? undefined };
}

export function toPresetNumber(preset: PresetName | null): RulesPreset | undefined {
  return preset === null ? undefined : presetNumbers[preset];
}
