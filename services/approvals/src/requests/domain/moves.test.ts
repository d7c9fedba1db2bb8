import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { type PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answeringFor, changesOf, checksOf, hasLeft, misplaced } from './moves.ts';

const uuid = fc.constantFrom('ann', 'ben', 'cat', 'dan');
const ai = fc.record({
  owner: fc.oneof(uuid, fc.constant('')),
  revoked: fc.boolean(),
  permissions: fc.subarray([Scope.READ, Scope.MESSAGE, Scope.APPROVE]),
});
const person = fc
  .record({
    id: uuid,
    ageBand: fc.constantFrom(AgeBand.ADULT, AgeBand.CHILD),
    guardians: fc.uniqueArray(uuid),
  })
  .map((facts) => create(PersonFactsSchema, facts));

describe('an item at a front door', () => {
  test('leaves it when its AI is gone or no longer qualifies as the owner’s front door', () => {
    fc.assert(
      fc.property(uuid, ai, (owner, facts) => {
        const stands = { owner, revoked: false, permissions: [Scope.MESSAGE] };
        expect([hasLeft({ owner }, stands), hasLeft({ owner }, undefined)]).toEqual([false, true]);
        const parts = Object.entries(facts).map(([name, value]) =>
          hasLeft({ owner }, { ...stands, [name]: value }),
        );
        expect(hasLeft({ owner }, facts)).toBe(parts.some((left) => left));
      }),
    );
  });
});

describe('an item for a child', () => {
  const family = (child: PersonFacts, suspended: readonly string[] = []) => {
    const facts = child.guardians.map((id) => {
      const until = suspended.includes(id) ? { suspendedUntil: timestampFromMs(2) } : {};
      return [id, create(PersonFactsSchema, { id, ...until })] as const;
    });
    return answeringFor(child, new Map(facts), 1);
  };

  test('is no longer misplaced once it moved to the first answering guardian', () => {
    fc.assert(
      fc.property(person, uuid, fc.subarray(['ann', 'ben', 'cat', 'dan']), (child, holder, suspended) => {
        const answering = family(child, suspended);
        const held = (by: string) =>
          misplaced([{ id: 'item', owner: child.id, holder: by }], child.id, answering);
        const [first] = answering.answering;
        if (first !== undefined) expect(held(first)).toEqual([]);
        const stays = answering.answering.includes(holder) && !answering.suspended.includes(holder);
        expect(held(holder)).toHaveLength(stays ? 0 : 1);
      }),
    );
  });

  test('is answered by the guardians, and by the owner alone once of age', () => {
    const facts = { id: 'ann', guardians: ['ben', 'cat'] };
    const at = (ageBand: AgeBand) => family(create(PersonFactsSchema, { ...facts, ageBand })).answering;
    expect([at(AgeBand.CHILD), at(AgeBand.TEEN16), at(AgeBand.ADULT)]).toEqual([
      ['ben', 'cat'],
      ['ben', 'cat'],
      ['ann'],
    ]);
  });

  test('goes to a suspended guardian last, and stays there while no other guardian can act', () => {
    const child = create(PersonFactsSchema, { id: 'ann', ageBand: AgeBand.CHILD, guardians: ['ben', 'cat'] });
    expect(family(child, ['ben'])).toEqual({ answering: ['cat', 'ben'], suspended: ['ben'] });
    expect(family(child, ['ben', 'cat'])).toEqual({ answering: ['ben', 'cat'], suspended: [] });
    const about = { id: 'ask', owner: 'ben', holder: null };
    expect(misplaced([about, { ...about, owner: 'cat' }], 'ann', family(child, ['ben']))).toEqual([]);
  });
});

test('a newly placed item is checked again when a viewer other than its owner holds it', () => {
  const at = (holder: string | null, box: 'requests' | 'front_door') =>
    checksOf({ owner: 'ann', holder, box });
  expect(at(null, 'requests')).toEqual([]);
  expect(at('ann', 'requests')).toEqual([]);
  expect(at('ben', 'requests')).toEqual([{ what: 'family', child: 'ann' }]);
  expect(at('bot', 'front_door')).toEqual([
    { what: 'door', ai: 'bot' },
    { what: 'rules', person: 'ann' },
  ]);
});

test.each([
  [
    { case: 'accountDeleted', value: { deleted: ['ann', 'ben'] } },
    [
      { what: 'deleted', person: 'ann' },
      { what: 'deleted', person: 'ben' },
    ],
  ],
  [{ case: 'aiRevoked', value: { ai: 'bot' } }, [{ what: 'revoked', ai: 'bot' }]],
  [{ case: 'aiChanged', value: { ai: 'bot' } }, [{ what: 'door', ai: 'bot' }]],
  [
    { case: 'aiClaimed', value: { ai: { id: 'bot' } } },
    [
      { what: 'door', ai: 'bot' },
      { what: 'hands', ai: 'bot', former: '' },
    ],
  ],
  [
    { case: 'aiUnclaimed', value: { ai: { id: 'bot' }, owner: 'ann' } },
    [
      { what: 'door', ai: 'bot' },
      { what: 'hands', ai: 'bot', former: 'ann' },
    ],
  ],
  [{ case: 'aiSuspended', value: { ai: { id: 'bot' } } }, [{ what: 'door', ai: 'bot' }]],
  [{ case: 'requestRulesChanged', value: { person: 'ann' } }, [{ what: 'rules', person: 'ann' }]],
  [{ case: 'personChanged', value: { person: { id: 'ann' } } }, [{ what: 'family', child: 'ann' }]],
  [
    {
      case: 'personChanged',
      value: { person: { id: 'ann' }, changed: ['suspended'], wards: ['ida', 'kit'] },
    },
    [
      { what: 'family', child: 'ann' },
      { what: 'family', child: 'ida' },
      { what: 'family', child: 'kit' },
    ],
  ],
  [
    { case: 'blocked', value: { person: 'ann', targetId: 'eve' } },
    [{ what: 'blocked', person: 'ann', sender: 'eve' }],
  ],
  [
    { case: 'blocked', value: { person: 'ann', target: '@other.home' } },
    [{ what: 'blocked_home', person: 'ann', home: 'other.home' }],
  ],
  [{ case: 'unblocked', value: { person: 'ann', targetId: 'eve' } }, []],
] as const)('%p leads to the right checks', (data, changes) => {
  expect(changesOf(create(EventSchema, { data } as object))).toEqual(changes);
});
