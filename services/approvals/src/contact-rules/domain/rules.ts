import { type RequestKindName, requestKinds } from '../../shared/domain/request-kinds.ts';

export const ruleActions = ['ask', 'front_door', 'decline', 'turn_away'] as const;

export type RuleAction = (typeof ruleActions)[number];

/** The rule for requests of one kind. */
export interface Rule {
  action: RuleAction;
  /** Lets only people, claimed AIs and vouched AIs through. */
  checkedOnly: boolean;
  /** Maximum of this kind that reaches the person in an ISO week, 1 to 1,000; null for no cap. */
  weeklyCap: number | null;
}

export type RuleRows = Readonly<Record<RequestKindName, Rule>>;

export type SomeRows = Readonly<Partial<Record<RequestKindName, Rule>>>;

/** Whether rules with this action refuse requests. */
export function refuses(action: RuleAction): boolean {
  return action === 'decline' || action === 'turn_away';
}

export function sameRule(one: Rule, other: Rule): boolean {
  return (
    one.action === other.action && one.checkedOnly === other.checkedOnly && one.weeklyCap === other.weeklyCap
  );
}

/** `rows`, overridden by `changes`. */
export function withRows(rows: RuleRows, changes: SomeRows): RuleRows {
  return { ...rows, ...changes };
}

/** The rows of `next` that differ from `present`. */
export function changedRows(present: RuleRows, next: RuleRows): SomeRows {
  const changed = requestKinds.filter((kind) => !sameRule(present[kind], next[kind]));
  return Object.fromEntries(changed.map((kind) => [kind, next[kind]]));
}

export function isEmpty(rows: SomeRows): boolean {
  return requestKinds.every((kind) => rows[kind] === undefined);
}

/** The same action for every kind, without bounds. */
export function everyRow(action: RuleAction): RuleRows {
  const rule: Rule = { action, checkedOnly: false, weeklyCap: null };
  return Object.fromEntries(requestKinds.map((kind) => [kind, rule])) as Record<RequestKindName, Rule>;
}
