import { kindOf, requestKinds } from '../../shared/domain/request-kinds.ts';
import { type PresetName, presetNames } from './presets.ts';
import { type Rule, type RuleAction, type RuleRows, ruleActions, type SomeRows } from './rules.ts';

/** A rule as stored. */
export interface Stored {
  action: string;
  checked_only: boolean;
  weekly_cap: number | null;
}

export function toStored(rows: SomeRows): Record<string, Stored> {
  const given = requestKinds.flatMap((kind) => {
    const rule = rows[kind];
    return rule === undefined ? [] : [[kind, stored(rule)] as const];
  });
  return Object.fromEntries(given);
}

/** All rows of a person. A kind that was added later has no stored row, and takes the rule of `other`. */
export function fromStored(rows: Record<string, Stored>): RuleRows {
  const some = someFromStored(rows);
  const other: Rule = some.other ?? { action: 'ask', checkedOnly: false, weeklyCap: 10 };
  return Object.fromEntries(requestKinds.map((kind) => [kind, some[kind] ?? other])) as Record<
    (typeof requestKinds)[number],
    Rule
  >;
}

export function someFromStored(rows: Record<string, Stored>): SomeRows {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([word, { action, checked_only, weekly_cap }]) => {
      const kind = kindOf(word);
      const known = ruleActions.find((each) => each === action);
      if (kind === null || known === undefined) return [];
      return [[kind, rule(known, checked_only, weekly_cap)]];
    }),
  );
}

export function toPreset(word: string | null): PresetName | null {
  return presetNames.find((name) => name === word) ?? null;
}

function rule(action: RuleAction, checkedOnly: boolean, weeklyCap: number | null): Rule {
  return { action, checkedOnly, weeklyCap };
}

function stored({ action, checkedOnly, weeklyCap }: Rule): Stored {
  return { action, checked_only: checkedOnly, weekly_cap: weeklyCap };
}
