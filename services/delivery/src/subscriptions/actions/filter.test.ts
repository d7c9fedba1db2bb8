import { isUuid } from '@hearth/ids';
import { wakeUps } from '@hearth/webhooks';
import { expect, test } from '@jest/globals';
import { readFilter } from './filter.ts';

const group = 'grp_01a1fcdade697946a90c0cb00e6981a6';
const uuid = '01a1fcda-de69-7946-a90c-0cb00e6981a6';

test('an empty filter does not narrow', () => {
  expect(readFilter({})).toEqual({ name: null, group: null });
  expect(readFilter({ group })).toEqual({ name: null, group: uuid });
});

test.each(wakeUps)('$name is accepted, with a group where the event has one', ({ name, groupFilter }) => {
  expect(readFilter({ name })).toEqual({ name, group: null });
  if (groupFilter) expect(readFilter({ name, group })).toEqual({ name, group: uuid });
  else expect(() => readFilter({ name, group })).toThrow(`group: cannot narrow ${name}`);
});

test('a remote group is identified by its reference, different for each home', () => {
  const [one, other] = ['r:b.example:grp_1', 'r:c.example:grp_1'].map((reference) => {
    const read = readFilter({ group: reference });
    expect(read.groupReference).toBe(reference);
    expect(readFilter({ group: reference })).toEqual(read);
    return read.group;
  });
  expect(isUuid(one!)).toBe(true);
  expect(one).not.toBe(other);
});

test('an unknown name is refused, with the nearest known name', () => {
  expect(() => readFilter({ name: 'message_direct' })).toThrow('did you mean message.direct?');
  expect(() => readFilter({ name: '' })).toThrow(
    'name: must be one of decision.needs_you, approval.requested',
  );
  expect(() => readFilter({ name: '__proto__' })).toThrow('name: must be one of');
});

test.each([
  '',
  'grp_',
  '&family',
  'family',
  uuid,
  `${group}0`,
  group.toUpperCase(),
  'per_01a1fcdade697946a90c0cb00e6981a6',
])('the group %j is refused', (wrong) => {
  expect(() => readFilter({ name: 'message.direct', group: wrong })).toThrow(
    'group: must be the id of a group',
  );
});
