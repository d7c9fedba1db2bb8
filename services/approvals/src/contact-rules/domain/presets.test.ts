import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { requestKinds } from '../../shared/domain/request-kinds.ts';
import { defaultRows, minorRows, presetNames, presets } from './presets.ts';
import { changedRows, type Rule, type RuleRows, ruleActions, sameRule, withRows } from './rules.ts';

/** The specification's table, word for word. */
const specified = `
(default, none chosen) | ask, 10 | ask, 10 | decline | decline | ask, 10 | ask, 10
just_me | ask, checked, 5 | decline | turn_away | turn_away | turn_away | decline
family | ask, 20 | ask, checked, 5 | turn_away | turn_away | decline | decline
job_seeker | ask, 20 | ask, 20 | ask, no cap | turn_away | front_door, 10 | front_door, 10
founder | ask, 20 | front_door, checked, 20 | decline | decline | front_door, 10 | front_door, 10
freelancer | ask, 20 | ask, 20 | front_door, 10 | decline | ask, 20 | front_door, 10
public_figure | front_door, checked, 20 | front_door, checked, 10 | decline | turn_away | front_door, checked, 10 | decline
`;

function words({ action, checkedOnly, weeklyCap }: Rule): string {
  const open = action === 'ask' || action === 'front_door';
  const cap = weeklyCap === null ? (open ? ['no cap'] : []) : [String(weeklyCap)];
  return [action, ...(checkedOnly ? ['checked'] : []), ...cap].join(', ');
}

const rule = fc.record({
  action: fc.constantFrom(...ruleActions),
  checkedOnly: fc.boolean(),
  weeklyCap: fc.option(fc.integer({ min: 1, max: 1_000 })),
});
const rows = fc
  .tuple(rule, rule, rule, rule, rule, rule)
  .map(
    (six) => Object.fromEntries(requestKinds.map((kind, index) => [kind, six[index]])) as unknown as RuleRows,
  );

describe('the presets', () => {
  const lines = specified.trim().split('\n');

  test.each(lines)('%s', (line) => {
    const [name, ...cells] = line.split(' | ') as [string, ...string[]];
    const found = name.startsWith('(') ? defaultRows : presets[name as keyof typeof presets];
    expect(requestKinds.map((kind) => words(found[kind]))).toEqual(cells);
  });

  test('are complete: there are no others', () => {
    expect(lines.slice(1).map((line) => line.split(' | ')[0])).toEqual([...presetNames]);
  });

  test('turn everything away for a person under 18', () => {
    for (const kind of requestKinds) expect(minorRows[kind].action).toBe('turn_away');
  });
});

describe('the difference between two sets of rules', () => {
  test('lists exactly the rows that differ, and turns one set into the other', () => {
    fc.assert(
      fc.property(rows, rows, (present, next) => {
        const changes = changedRows(present, next);
        expect(withRows(present, changes)).toEqual(next);
        for (const kind of requestKinds) {
          expect(changes[kind] === undefined).toBe(sameRule(present[kind], next[kind]));
        }
      }),
    );
  });

  test('is empty for equal sets', () => {
    fc.assert(fc.property(rows, (present) => expect(changedRows(present, { ...present })).toEqual({})));
  });
});
