import { expect, test } from '@jest/globals';
import { ruleWords } from './rule-copy.ts';

test('each row is described in one line, with its limits', () => {
  const open = { checkedOnly: false, weeklyCap: null };
  expect(
    ruleWords({
      sales: { action: 'turn_away', ...open },
      personal: { action: 'ask', checkedOnly: true, weeklyCap: 5 },
      offer: { action: 'front_door', ...open },
      other: { action: 'decline', ...open },
    }),
  ).toBe(
    [
      'personal: goes to your requests, from people and checked AIs alone, at most 5 a week',
      'sales: is turned away',
      'offer: goes to the AI at your front door',
      'other: gets a polite no',
    ].join('\n'),
  );
});
