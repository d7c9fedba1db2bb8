import { expect, test } from '@jest/globals';
import type { DraftedWakeUp } from './draft.ts';
import { matchStreams } from './match.ts';

const draft = (rest: Partial<DraftedWakeUp>): DraftedWakeUp => ({
  id: 'e',
  name: 'approval.requested',
  at: new Date(0),
  data: {},
  ais: [],
  people: [],
  groups: [],
  withoutOwner: false,
  by: '',
  ...rest,
});
const streams = [
  { ai: 'robin', person: 'ada' },
  { ai: 'wren', person: 'ada' },
  { ai: 'finch', person: null },
].map((stream) => ({ ...stream, recordsFrom: new Date(0), ownedFrom: new Date(0) }));
const woken = (...drafts: DraftedWakeUp[]) => matchStreams(drafts, streams).map(({ ai, data }) => [ai, data]);

test('matches AIs that an event names, and AIs of people it names', () => {
  expect(woken(draft({ ais: ['wren', 'nobody'] }))).toEqual([['wren', {}]]);
  expect(woken(draft({ people: ['ada', 'ben'] }))).toEqual([
    ['robin', {}],
    ['wren', {}],
  ]);
});

test('matches an AI once per event, for itself rather than for its person', () => {
  const [own, persons] = [{ to_you: true }, { to_you: false }];
  const expected = [
    ['robin', persons],
    ['wren', own],
  ];
  const drafts = [draft({ ais: ['wren'], data: own }), draft({ people: ['ada'], data: persons })];
  expect(woken(...drafts).sort()).toEqual(expected);
  expect(woken(...drafts.reverse()).sort()).toEqual(expected);
  expect(woken(draft({ ais: ['wren'] }), draft({ id: 'f', ais: ['wren'] }))).toHaveLength(2);
});

test('does not match the AI that acted', () => {
  expect(woken(draft({ people: ['ada'], by: 'robin' }))).toEqual([['wren', {}]]);
});

test('matches an AI without an owner only for what happens to itself', () => {
  expect(woken(draft({ ais: ['finch'] }))).toEqual([]);
  expect(woken(draft({ ais: ['finch'], withoutOwner: true }))).toEqual([['finch', {}]]);
  // An AI without an owner is not one of a person's AIs.
  expect(woken(draft({ people: ['', 'null'], withoutOwner: true }))).toEqual([]);
});

test('never matches an event from before an AI began to listen, or got its owner', () => {
  const [recordsFrom, ownedFrom] = [new Date(3_600_000), new Date(7_200_000)];
  const begun = [{ ai: 'wren', person: 'ada', recordsFrom, ownedFrom }];
  const wokenAt = (named: Partial<DraftedWakeUp>) => (ms: number) =>
    matchStreams([draft({ ...named, at: new Date(ms) })], begun).length;
  expect([0, 3_500_000, 3_590_000, 3_600_000].map(wokenAt({ ais: ['wren'] }))).toEqual([0, 0, 1, 1]);
  const owners = [3_600_000, 7_100_000, 7_190_000, 7_200_000].map(wokenAt({ people: ['ada'] }));
  expect(owners).toEqual([0, 0, 1, 1]);
});
