import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { createIds, printId, systemRandom } from '@hearth/ids';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { type PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import { createSealer } from '@hearth/sealing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shieldId } from './shield.ts';
import { seesWhole, shieldedTime, shortenName, showPerson, snapshotOf, viewerOf } from './show.ts';

const sealer = createSealer(Buffer.alloc(32, 7).toString('base64url'), systemRandom);
const ids = createIds({ now: () => 1_800_000_000_000 }, systemRandom);
const [child, guardian, second, app, otherApp, stranger, ai] = Array.from({ length: 7 }, () =>
  ids.uuid(),
) as [string, string, string, string, string, string, string];

const facts = (ageBand: AgeBand, more: MessageInitShape<typeof PersonFactsSchema> = {}): PersonFacts =>
  create(PersonFactsSchema, {
    id: child,
    handle: 'ada-lovelace',
    name: 'Ada Lovelace',
    ageBand,
    guest: false,
    guardians: ageBand === AgeBand.ADULT ? [] : [guardian, second],
    aiShare: false,
    app,
    ...more,
  });
const caller = (fields: MessageInitShape<typeof CallerSchema>): Caller => create(CallerSchema, fields);
const person = (id: string, by = '') => caller({ kind: CallerKind.PERSON, id, app: by });
const aiOf = (owner: string, by = '') => caller({ kind: CallerKind.AI, id: ai, person: owner, app: by });
const appAlone = (id: string) => caller({ kind: CallerKind.APP, id, app: id });

const minors = [AgeBand.CHILD, AgeBand.TEEN13, AgeBand.TEEN16];

describe('a person under 18', () => {
  const closest: [string, Caller][] = [
    ['themselves', person(child)],
    ['an AI of theirs', aiOf(child)],
    ['a guardian', person(guardian)],
    ['the second guardian', person(second)],
    ['a guardian’s AI', aiOf(guardian)],
    ['the app that holds them', appAlone(app)],
    ['that app for somebody', person(stranger, app)],
  ];
  const others: [string, Caller][] = [
    ['a stranger', person(stranger)],
    ['a stranger’s AI', aiOf(stranger)],
    ['an AI of nobody', aiOf('')],
    ['another app', appAlone(otherApp)],
    ['another app, for a guardian', person(guardian, otherApp)],
    ['another app, for the child', person(child, otherApp)],
  ];

  test.each(closest)('is shown in full to %s', (_, viewer) => {
    for (const band of minors) {
      expect(showPerson(sealer, facts(band, { aiShare: true }), viewer)).toMatchObject({
        id: printId('per', child),
        address: '@ada-lovelace',
        handle: 'ada-lovelace',
        name: 'Ada Lovelace',
        guardian: printId('per', guardian),
        aiShare: true,
        app: printId('app', app),
        shielded: false,
      });
    }
  });

  test.each(others)('is shown to %s under a shielded id and a shortened name', (_, viewer) => {
    for (const band of minors) {
      const shown = showPerson(sealer, facts(band), viewer);
      expect(shown).toMatchObject({ name: 'Ada L.', ageBand: band, shielded: true });
      expect(shown.id).toBe(shieldId(sealer, viewerOf(viewer), child));
      expect(shown.address).toBe(shown.id);
      expect([shown.handle, shown.guardian, shown.aiShare, shown.app]).toEqual(Array(4).fill(undefined));
      const text = JSON.stringify(shown);
      for (const secret of [
        'lovelace',
        'Lovelace',
        child,
        child.replaceAll('-', ''),
        guardian.replaceAll('-', ''),
      ]) {
        expect(text).not.toContain(secret);
      }
    }
  });

  test('is not shown in full to a caller with an empty id', () => {
    expect(seesWhole(facts(AgeBand.CHILD, { app: '' }), caller({ kind: CallerKind.ANONYMOUS }))).toBe(false);
    expect(seesWhole(facts(AgeBand.CHILD, { app: '', guardians: [] }), aiOf(''))).toBe(false);
  });

  test('of unknown age is shown as a minor', () => {
    expect(showPerson(sealer, facts(AgeBand.UNSPECIFIED), person(stranger)).shielded).toBe(true);
  });
});

describe('an adult', () => {
  test('is shown in full, without the fields of minors', () => {
    const shown = showPerson(
      sealer,
      facts(AgeBand.ADULT, { guardians: [guardian], aiShare: true }),
      person(stranger),
    );
    expect(shown).toMatchObject({ id: printId('per', child), name: 'Ada Lovelace', handle: 'ada-lovelace' });
    expect([shown.guardian, shown.aiShare, shown.shielded]).toEqual([undefined, undefined, false]);
  });

  test('without an app shows no app', () => {
    expect(showPerson(sealer, facts(AgeBand.ADULT, { app: '' }), person(child)).app).toBeUndefined();
  });
});

describe('a shortened name', () => {
  test.each([
    ['Ada Lovelace', 'Ada L.'],
    ['Ada King Lovelace', 'Ada L.'],
    ['Ada', 'Ada'],
    ['  Ada   Lovelace ', 'Ada L.'],
    ['Ada 😀smile', 'Ada 😀.'],
    ['x'.repeat(40), 'x'.repeat(20)],
    ['李 小龙', '李 小.'],
    ['', ''],
  ])('%j is %j', (name, shortened) => {
    expect(shortenName(name)).toBe(shortened);
  });

  test('is never longer than 23 characters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 3 }), { minLength: 2 }), (words) => {
        const name = words.join(' ');
        expect([...shortenName(name)].length).toBeLessThanOrEqual(23);
      }),
    );
  });
});

test('a snapshot of a person under 18 has neither a handle nor a full name', () => {
  expect(snapshotOf(facts(AgeBand.TEEN16))).toEqual({ id: child, name: 'Ada L.', handle: '', minor: true });
  expect(snapshotOf(facts(AgeBand.ADULT))).toEqual({
    id: child,
    name: 'Ada Lovelace',
    handle: 'ada-lovelace',
    minor: false,
  });
});

test('a shielded time is its UTC day', () => {
  expect(shieldedTime(new Date('2026-03-01T23:59:59.999Z'))).toEqual(new Date('2026-03-01T00:00:00Z'));
  expect(shieldedTime(new Date('1969-12-31T23:00:00Z'))).toEqual(new Date('1969-12-31T00:00:00Z'));
});
