import { requestKinds } from '../../shared/domain/request-kinds.ts';
import type { Rule, RuleAction, SomeRows } from './rules.ts';

const actions: Record<RuleAction, string> = {
  ask: 'goes to your requests',
  front_door: 'goes to the AI at your front door',
  decline: 'gets a polite no',
  turn_away: 'is turned away',
};

/** Rules as text for people, one line each. */
export function ruleWords(rows: SomeRows): string {
  return requestKinds
    .flatMap((kind) => {
      const rule = rows[kind];
      return rule === undefined ? [] : [`${kind}: ${actions[rule.action]}${boundsOf(rule)}`];
    })
    .join('\n');
}

function boundsOf({ checkedOnly, weeklyCap }: Rule): string {
  const cap = weeklyCap === null ? '' : `, at most ${weeklyCap} a week`;
  return `${checkedOnly ? ', from people and checked AIs alone' : ''}${cap}`;
}
