import { readFileSync } from 'node:fs';
import { fromJson, type JsonObject } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { notFound, unavailable } from '@hearth/errors';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { type ListedKey, verifyRecord } from '@hearth/signing';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, startHomeWithPeople } from '../home-with-people.ts';
import { expectPage, wordsOf } from '../visitor.ts';

interface Vector {
  name: string;
  object: JsonObject;
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../../../interop/vectors/records/records.json', import.meta.url), 'utf8'),
) as { keys: ListedKey[]; cases: Vector[] };
const recordOf = (name: string) => vectors.cases.find((vector) => vector.name === name)!.object;

const good = recordOf('signed by the active key');
const id = good['id'] as string;
const key = 'abcdefghijklmnopqrstuv';
const link = `/r/${id}?k=${key}`;

let record: JsonObject;
let away: Error | undefined;

const home = await startHomeWithPeople([
  fake(RecordsService, {
    getRecord: async (request, { caller }) => {
      if (request.id !== id || (request.k !== key && caller.id !== adaId)) throw notFound();
      return fromJson(StructSchema, record);
    },
    // As federation does it, with the keys of the interop vectors.
    verifyRecord: async ({ record: given }) => {
      if (away !== undefined) throw away;
      const { valid, problems, faults, kid } = verifyRecord(JSON.parse(given), {
        expectedType: 'svc-record+jws',
        home: 'home.example',
        keys: vectors.keys,
        now: Date.parse('2026-01-15T12:00:00Z'),
      });
      return {
        valid,
        problems,
        faults,
        kid: kid ?? undefined,
        keyStatus: vectors.keys.find((listed) => listed.kid === kid)?.status,
      };
    },
  }),
]);
afterAll(() => home.stop());
beforeEach(() => {
  record = good;
  away = undefined;
});

const verdictOf = (text: string) => /<div class="verdict (\w+)">/.exec(text)?.[1];

describe('a receipt', () => {
  test('says first that it is valid, then who answered what, and by which key', async () => {
    const page = await home.stranger().open(link);
    const words = wordsOf(page);
    expect([page.status, verdictOf(page.text)]).toEqual([200, 'valid']);
    expect(words).toMatch(/^[^>]*> Receipt ✓ Valid Unchanged since the home signed it/);
    for (const part of [
      'May we book the hall on Friday? approved',
      'Béa 👩‍🚀 @bea a person approved Friday Note: Fine “with me” €',
      'signed in with a passkey, on the home’s pages · Thu, 15 Jan 2026, 09:59 UTC',
      'Requested by @ana.ai-helper',
      'Digest sha-256:f0kyP9Tzzexjj3R7VaIQaLtCakN1Dj-j1piYrOnP3jQ',
      'Home home.example',
      'vaGfV_Ld9Xi1hoVUXE9rR8pgQMuu5yRzTX9QZPj6oWs active',
    ]) {
      expect(words).toContain(part);
    }
    expect(page.text).toContain('<title>Receipt: Valid - ');
  });

  test('can be downloaded', async () => {
    const { text } = await home.stranger().open(link);
    const [, json = ''] = /<textarea id="json"[^>]*>([^<]*)<\/textarea>/.exec(text)!;
    const decoded = json.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    expect(JSON.parse(decoded)).toEqual(good);
  });

  test('that was changed is shown as invalid, and nothing else is claimed', async () => {
    record = { ...good, status: 'declined' };
    const page = await home.stranger().open(link);
    expect([verdictOf(page.text), wordsOf(page)]).toEqual([
      'invalid',
      expect.stringContaining('× Not valid Don’t rely on this receipt'),
    ]);
    expect(wordsOf(page)).toContain('The signature doesn’t match: the receipt was changed');
    expect(wordsOf(page)).not.toContain('does not fit the object');
    expect(wordsOf(page)).toContain('The receipt claims: May we book the hall on Friday? declined');
    expect(page.text).not.toContain('pill good">approved');
  });

  test('of a revoked key says so', async () => {
    record = { ...recordOf('signed by a revoked key, dated before the revocation'), id };
    const page = await home.stranger().open(link);
    expect([verdictOf(page.text), wordsOf(page)]).toEqual([
      'revoked',
      expect.stringContaining('× Key revoked'),
    ]);
  });

  test('never shows an AI’s answer as a person’s', async () => {
    for (const by of ['ai', 'Person', 'person ', undefined]) {
      const [answer] = good['answers'] as JsonObject[];
      record = { ...good, answers: [{ ...answer, ...(by === undefined ? { by: null } : { by }) }] };
      const words = wordsOf(await home.stranger().open(link));
      expect(words).toContain('an AI approved');
      expect(words).not.toContain('a person approved');
    }
  });

  test.each([
    [
      'a decision',
      {
        type: 'decision.outcome',
        decision: {
          ...{ title: 'Dinner', group: { name: 'The family' }, started_by: '@ada' },
          questions: [
            { id: 1, kind: 'when' },
            { id: 2, kind: 'choice' },
          ],
        },
        outcome: {
          summary: 'Fri, 3 May 2030, 18:00; Soup; to bring: Wine',
          ...{ when: '2030-05-03T16:00:00Z', time_zone: 'Europe/Zurich' },
          answers: [
            { question_id: 1, answer: '2030-05-03T16:00:00Z' },
            { question_id: 2, answer: 'Soup' },
          ],
          bring: [{ name: 'Ben', what: 'Wine' }],
        },
        approvals: [{ to: '@ben', name: 'Ben', decision: 'approved', by: 'ai', at: '2030-01-01T00:00:00Z' }],
        status: 'agreed',
      },
      [
        'The receipt claims: Dinner agreed',
        'Outcome Fri, 3 May 2030, 18:00 Zurich time; Soup; to bring: Wine',
        'Ben @ben an AI approved',
      ],
    ],
    [
      'a plan',
      {
        type: 'plan.outcome',
        plan: { title: 'Rehearsal', proposed_by: '@ada' },
        outcome: { option: 2, date: '2030-05-05', where: 'Town house' },
        people: [
          { to: '@ben', name: 'Ben', stances: [{ option: 2, stance: 'approve', by: 'person' }] },
          { to: '@cid', name: 'Cid', stances: [{ option: 1, stance: 'works', by: 'person' }], chose: 2 },
        ],
        status: 'settled',
      },
      [
        'Rehearsal settled',
        'When Sun, 5 May 2030',
        'Where Town house',
        'a person approved',
        'Cid @cid chose this time',
      ],
    ],
    [
      'an agreement',
      {
        type: 'agreement.settled',
        agreement: { title: 'Minutes' },
        sides: [{ address: '@free-a.ai-b', settled: 'not_kept', note: 'Never came' }],
        status: 'settled',
      },
      ['Minutes settled', '@free-a.ai-b not kept Note: Never came'],
    ],
    [
      'a meeting',
      {
        type: 'meeting',
        meeting: {
          title: 'A call',
          starts_at: '2030-05-03T16:00:00Z',
          ends_at: '2030-05-03T17:00:00Z',
          time_zone: 'UTC',
          offered_by: { address: '@ada', name: 'Ada' },
          booked_by: { address: '@ben', name: 'Ben' },
        },
        status: 'booked',
      },
      ['A call booked', 'Ada @ada offered the time', 'Ben @ben booked the time'],
    ],
  ])('of %s says how it ended', async (_, ended, expected) => {
    record = { id, home: 'home.example', ...ended } as JsonObject;
    const words = wordsOf(await home.stranger().open(link));
    for (const part of expected) expect(words).toContain(part);
    expect(words).not.toContain('Another kind of record');
  });

  test.each([
    ['another kind', { ...good, type: 'recipe' }],
    ['an outcome without one', { id, type: 'plan.outcome', plan: [], people: 7 }],
    [
      'odd times',
      { id, type: 'meeting', meeting: { starts_at: 'soon', time_zone: 'Mars', ends_at: 1, offered_by: [] } },
    ],
    [
      'a zone of no clock',
      { id, type: 'meeting', meeting: { starts_at: '2030-05-03T16:00:00Z', time_zone: 'X/Y' } },
    ],
    ['nothing as it should be', { id, type: 'approval.answer', ask: [], answers: {}, home: 7, issued_at: 1 }],
    ['odd answers', { ...good, answers: [null, 1, 'x', { by: 1, at: 'x', note: ['<b>'] }] }],
  ])('that contains %s is shown unchanged', async (_, odd) => {
    record = odd as JsonObject;
    const page = await home.stranger().open(link);
    expect([page.status, verdictOf(page.text)]).toEqual([200, 'invalid']);
  });

  test.each([
    `/r/${id}`,
    `/r/${id}?k=wrong-wrong-wrong-wr`,
    `/r/${id}?k=x`,
    '/r/rec_1?k=abcdefghijklmnopqrstuv',
    '/r/%00?k=',
  ])('is for who has its link: %s', async (path) => {
    const page = await home.stranger().open(path);
    expectPage(page, 404, 'Page not found');
  });

  test('is also shown to the people that it concerns', async () => {
    const page = await home.ada.open(`/r/${id}`);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('href="/requests">Requests</a>')]);
    expect((await home.stranger().open(link)).text).not.toContain('href="/requests"');
  });

  test('gets no verdict while it cannot be verified', async () => {
    away = unavailable('no');
    const page = await home.stranger().open(link);
    expect([page.status, verdictOf(page.text)]).toEqual([503, undefined]);
  });

  test('and its key are not logged', () => {
    expect(home.logged.join()).not.toContain(key);
  });
});

describe('a pasted receipt, without scripts', () => {
  const check = async (text: string) => {
    const stranger = home.stranger();
    const page = await stranger.open('/r');
    return await stranger.send(page, '/r', { record: text });
  };

  test('is checked by the home', async () => {
    const page = await check(JSON.stringify(good, null, 4));
    expect([page.status, verdictOf(page.text)]).toEqual([200, 'valid']);
    expect(wordsOf(page)).toContain('May we book the hall on Friday? approved');
  });

  test('that was changed is not valid', async () => {
    expect(verdictOf((await check(JSON.stringify({ ...good, v: 2 }))).text)).toBe('invalid');
  });

  test.each([
    '',
    '  ',
    '{',
    '[1]',
    '"x"',
    '{"a":1,"a":2}',
    '{"a":1.5}',
    `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
  ])('is invalid: %s', async (text) => {
    const page = await check(text);
    expect([page.status, verdictOf(page.text)]).toEqual([400, undefined]);
    expect(page.text).toContain('id="record-error"');
  });

  test('is shown again as text', async () => {
    const page = await check('{"a": "</textarea><script>alert(1)</script>"');
    expect(page.text).not.toContain('<script>alert');
  });
});
