import { expect, test } from '@jest/globals';
import { thingOf, typesOfThings } from './thing-of.ts';

test('an event refers to the object that its type declares, or to none', () => {
  expect(thingOf({ case: 'personChanged', value: { person: { id: 'ada' } } })).toBe('person ada');
  expect(thingOf({ case: 'accountDeleted', value: { deleted: ['ada', 'kit'] } })).toBe('person ada');
  expect(thingOf({ case: 'aiRevoked', value: { ai: 'bot' } })).toBe('ai bot');
  expect(thingOf({ case: 'groupUpdated', value: { group: { id: 'club' } } })).toBe('group club');
  for (const value of [{}, { group: { id: '', reference: 'r:other:grp_1' } }])
    expect(thingOf({ case: 'groupUpdated', value })).toBeNull();
  expect(thingOf({ case: 'itemsChanged', value: {} })).toBeNull();
});

test('the types of an object are known by their declared names', () => {
  expect(typesOfThings.get('person')).toEqual(['person_changed', 'account_deleted']);
});
