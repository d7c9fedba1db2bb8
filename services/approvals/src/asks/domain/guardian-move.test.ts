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
    [
      'a place stays with a guardian who still guards the child',
      [instead('gus')],
      ['gwen', 'gus'],
      {},
      nothing,
    ],
    [
      'a place about the child stays, and the new guardian is asked as well',
      [about(0, 'gus')],
      ['gwen', 'gus'],
      {},
      { ...nothing, added: ['gwen'] },
    ],
    [
      'a place about the child does not go to a new guardian who blocks the asker or is the asker',
      [about(0, 'gus')],
      ['gwen', 'gus', 'eve'],
      { keptAway: new Set(['gwen']) },
      nothing,
    ],
    [
      'a place moves to the other guardian while its guardian is suspended',
      [instead('gus')],
      ['gwen', 'gus'],
      { suspended: ['gus'] },
      { ...nothing, moves: { 0: 'gwen' } },
    ],
    [
      'a place stays with a suspended guardian when the other guardian blocks the asker',
      [instead('gus')],
      ['gwen', 'gus'],
      { suspended: ['gus'], keptAway: new Set(['gwen']) },
      nothing,
    ],
    [
      'a place about the child stays with each guardian, suspended or not',
      [about(0, 'gus'), about(1, 'gwen')],
      ['gwen', 'gus'],
      { suspended: ['gus'] },
      nothing,
    ],
    [
      'a place moves to the new guardian',
      [about(0, 'gus')],
      ['gwen'],
      {},
      { ...nothing, moves: { 0: 'gwen' } },
    ],
    [
      'a place moves to the first guardian',
      [instead('gus')],
      ['gwen', 'gil'],
      {},
      { ...nothing, moves: { 0: 'gwen' } },
    ],
    [
      'several places move one after the other',
      [about(0, 'gus'), about(1, 'gil')],
      ['gwen', 'greta'],
      {},
      { ...nothing, moves: { 0: 'gwen', 1: 'greta' } },
    ],
    [
      'a place does not go to a guardian who is already asked',
      [about(0, 'gus'), about(1, 'gwen')],
      ['gwen'],
      {},
      { ...nothing, removed: [0] },
    ],
    ['a place does not go to the asker', [about(0, 'gus')], ['eve'], {}, { ...nothing, dropped: [0] }],
    [
      'an ask of a guardian goes to the child',
      [instead('gus')],
      ['eve'],
      {},
      { ...nothing, moves: { 0: 'ida' } },
    ],
    [
      'a place does not go to a guardian who blocks the asker',
      [instead('gus')],
      ['gwen', 'gil'],
      { keptAway: new Set(['gwen']) },
      { ...nothing, moves: { 0: 'gil' } },
    ],
    ['a place ends when no guardian is left', [instead('gus')], [], {}, { ...nothing, dropped: [0] }],
    [
      'a place is the child’s once of age',
      [instead('gus')],
      ['ida'],
      {},
      { ...nothing, moves: { 0: 'ida' } },
    ],
    [
      'a place about the child is theirs once of age, too',
      [about(0, 'gus')],
      ['ida'],
      {},
      { ...nothing, moves: { 0: 'ida' } },
    ],
    ['an answered place stays', [about(0, 'gus', { decision: 'approved' })], ['gus'], {}, nothing],
    ['a place about others stays', [about(0, 'gus', { guards: 'bo' })], ['gwen'], {}, nothing],
    ['a place that no guardian answers stays', [about(0, 'gus', { guards: null })], ['gwen'], {}, nothing],
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
