import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type GuardedPlace, type Guardianship, moveToGuardians } from './guardian-move.ts';

const about = (position: number, guardian: string, more: Partial<GuardedPlace> = {}): GuardedPlace => ({
  position,
  recipient: guardian,
  person: guardian,
  decision: 'waiting',
  guards: 'ida',
  ...more,
});
const instead = (guardian: string): GuardedPlace => about(0, guardian, { recipient: 'ida' });

function moving(places: GuardedPlace[], answering: string[], more: Partial<Guardianship> = {}) {
  const { moves, ...rest } = moveToGuardians(places, {
    child: 'ida',
    answering,
    suspended: [],
    keptAway: new Set(),
    askers: ['eve', null],
    ...more,
  });
  return { ...rest, moves: Object.fromEntries(moves) };
}

const nothing = { moves: {}, added: [], removed: [], dropped: [] };

describe('places that guardians answer', () => {
  test.each<[string, GuardedPlace[], string[], Partial<Guardianship>, object]>([
    ['stays with who guards them', [instead('gus')], ['gwen', 'gus'], {}, nothing],
    [
      'that is about them stays, and the new one is asked as well',
      [about(0, 'gus')],
      ['gwen', 'gus'],
      {},
      { ...nothing, added: ['gwen'] },
    ],
    [
      'that is about them is no newcomer’s who blocks who asked, nor who asked',
      [about(0, 'gus')],
      ['gwen', 'gus', 'eve'],
      { keptAway: new Set(['gwen']) },
      nothing,
    ],
    [
      'goes to the other one while its guardian is suspended',
      [instead('gus')],
      ['gwen', 'gus'],
      { suspended: ['gus'] },
      { ...nothing, moves: { 0: 'gwen' } },
    ],
    [
      'stays with a suspended guardian when the other one blocks who asked',
      [instead('gus')],
      ['gwen', 'gus'],
      { suspended: ['gus'], keptAway: new Set(['gwen']) },
      nothing,
    ],
    [
      'that is about them stays with each guardian, suspended or not',
      [about(0, 'gus'), about(1, 'gwen')],
      ['gwen', 'gus'],
      { suspended: ['gus'] },
      nothing,
    ],
    ['goes to the new one', [about(0, 'gus')], ['gwen'], {}, { ...nothing, moves: { 0: 'gwen' } }],
    ['goes to who counts first', [instead('gus')], ['gwen', 'gil'], {}, { ...nothing, moves: { 0: 'gwen' } }],
    [
      'is handed on one by one',
      [about(0, 'gus'), about(1, 'gil')],
      ['gwen', 'greta'],
      {},
      { ...nothing, moves: { 0: 'gwen', 1: 'greta' } },
    ],
    [
      'is not given to who is asked already',
      [about(0, 'gus'), about(1, 'gwen')],
      ['gwen'],
      {},
      { ...nothing, removed: [0] },
    ],
    ['nor to who asked', [about(0, 'gus')], ['eve'], {}, { ...nothing, dropped: [0] }],
    [
      'of who asked goes to the child they guard',
      [instead('gus')],
      ['eve'],
      {},
      { ...nothing, moves: { 0: 'ida' } },
    ],
    [
      'is not given to who blocks them',
      [instead('gus')],
      ['gwen', 'gil'],
      { keptAway: new Set(['gwen']) },
      { ...nothing, moves: { 0: 'gil' } },
    ],
    ['ends where nobody is left', [instead('gus')], [], {}, { ...nothing, dropped: [0] }],
    ['is theirs once they are of age', [instead('gus')], ['ida'], {}, { ...nothing, moves: { 0: 'ida' } }],
    ['that is about them too', [about(0, 'gus')], ['ida'], {}, { ...nothing, moves: { 0: 'ida' } }],
    ['stays when it was answered', [about(0, 'gus', { decision: 'approved' })], ['gus'], {}, nothing],
    ['stays when it is about others', [about(0, 'gus', { guards: 'bo' })], ['gwen'], {}, nothing],
    ['stays when it is nobody’s to guard', [about(0, 'gus', { guards: null })], ['gwen'], {}, nothing],
  ])('%s', (_, places, answering, more, expected) => {
    expect(moving(places, answering, more)).toEqual(expected);
  });

  test('never duplicate a guardian, include a blocked one or lose a place', () => {
    const names = ['gus', 'gwen', 'gil', 'eve'];
    const some = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4 });
    fc.assert(
      fc.property(some, some, some, (asked, answering, blocking) => {
        const places = asked.map((one, position) => about(position, one));
        const keptAway = new Set(blocking);
        const { moves, added, removed, dropped } = moveToGuardians(places, {
          child: 'ida',
          answering,
          suspended: [],
          keptAway,
          askers: ['eve'],
        });
        const after = [...places.map(({ position, person }) => moves.get(position) ?? person), ...added];
        expect(new Set(after).size).toBe(after.length);
        for (const to of [...moves.values(), ...added]) {
          expect(answering).toContain(to);
          expect(keptAway.has(to) || to === 'eve').toBe(false);
        }
        const gone = places.filter(({ person }) => !answering.includes(person as string));
        expect([...moves.keys(), ...removed, ...dropped].toSorted()).toEqual(
          gone.map(({ position }) => position),
        );
        // An approval always keeps a recipient.
        expect(removed.length < places.length + added.length || places.length === 0).toBe(true);
      }),
    );
  });
});
