import { hash } from 'node:crypto';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { manualClock } from '@hearth/clock';
import { verifyRecord } from '@hearth/signing';
import type { StartServiceOptions } from '@hearth/testkit';
import { createMigratedDatabase } from '@hearth/testkit/migrated-database';
import type { TestDatabase } from '@hearth/testkit/postgres';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { federation } from '../src/service.ts';
import { home, startFederation, type TestFederation } from './start-federation.ts';

const minute = 60_000;
const hour = 3_600_000;
const started = Date.parse('2026-03-01T12:00:00.000Z') / 1_000;

let testDatabase: TestDatabase;
const clock = manualClock('2026-03-01T12:00:00.000Z');
const running: TestFederation[] = [];

beforeEach(async () => {
  testDatabase = await createMigratedDatabase([federation]);
  clock.set('2026-03-01T12:00:00.000Z');
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  await testDatabase.drop();
});

async function start(options: StartServiceOptions = {}): Promise<TestFederation> {
  const started = await startFederation({ databaseUrl: testDatabase.url, clock, ...options });
  running.push(started);
  return started;
}

async function documentOf(federation: TestFederation) {
  const answer = await federation.as('gateway').getHomeDocument({});
  return { ...answer, document: JSON.parse(answer.json) };
}

describe('the document of a home', () => {
  test('contains everything that docs/protocol/home-document.md lists', async () => {
    const { document } = await documentOf(await start());
    const [key] = document.keys;
    expect(document).toEqual({
      v: 1,
      service: 'hearth',
      version: '0.1.0',
      home,
      name: home,
      base_url: 'https://hearth.example/v0',
      auth_url: 'https://hearth.example',
      site_url: 'https://hearth.example',
      mcp_url: 'https://hearth.example/mcp',
      doc_seq: started,
      issued_at: '2026-03-01T12:00:00.000Z',
      valid_until: '2026-03-02T12:00:00.000Z',
      federation: {
        endpoint: 'https://hearth.example/federation',
        versions: ['1'],
        limits: {
          max_request: 262_144,
          max_item: 65_536,
          max_items: 200,
          max_at_once: 4,
          requests_a_minute: 1_800,
        },
        mode: 'open',
      },
      keys: [
        {
          kid: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
          kty: 'OKP',
          crv: 'Ed25519',
          x: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
          uses: ['record', 'request'],
          status: 'active',
          not_before: '2026-03-01T12:00:00.000Z',
        },
        expect.objectContaining({ uses: ['recovery'], status: 'active' }),
      ],
      webhook_jwks: 'https://hearth.example/.well-known/mcp-webhook-jwks.json',
      records: {
        types: [
          'agreement',
          'agreement.settled',
          'approval.answer',
          'card',
          'decision.outcome',
          'meeting',
          'plan.outcome',
        ],
        canonical: 'RFC8785',
        alg: 'EdDSA',
      },
      features: expect.objectContaining({ messages: true, decisions: true, plans: true, people: true }),
      limits: expect.objectContaining({ body_bytes: 65_536, description_changes_a_day: 20 }),
      contact: { abuse: 'abuse@hearth.example', security: 'security@hearth.example' },
      signatures: [{ protected: expect.any(String), signature: expect.any(String) }],
    });
    expect(document.limits).not.toHaveProperty('writes_a_minute');
    expect(key.kid).not.toBe(key.x);
  });

  test('is signed by its active key, and names its type, ETag and end', async () => {
    const { json, etag, validUntil, document } = await documentOf(await start());
    const verification = verifyRecord(document, {
      expectedType: 'svc-home+jws',
      home: 'hearth.example',
      keys: document.keys,
      now: clock.now(),
    });
    expect(verification).toMatchObject({ valid: true, kids: [document.keys[0].kid] });
    expect(etag).toBe(`"${hash('sha256', json, 'base64url')}"`);
    expect(timestampMs(validUntil!)).toBe(Date.parse(document.valid_until));
  });

  test('stays the same, byte for byte, for half of its lifetime, across restarts', async () => {
    const federation = await start();
    const { json } = await documentOf(federation);
    clock.advance(12 * hour);
    expect((await documentOf(federation)).json).toBe(json);
    expect((await documentOf(await start())).json).toBe(json);
    clock.advance(1);
    const { document } = await documentOf(federation);
    expect(document).toMatchObject({
      doc_seq: started + 12 * 3_600,
      valid_until: '2026-03-03T00:00:00.001Z',
    });
  });

  test('is issued once by replicas that find it expired at the same time', async () => {
    const replicas = await Promise.all([start(), start()]);
    clock.advance(20 * hour);
    const asked = Array.from({ length: 12 }, (_, index) => documentOf(replicas[index % 2]!));
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ json }) => json)).size).toBe(1);
    expect(answers[0]!.document.doc_seq).toBe(started + 20 * 3_600);
  });

  test('changes with the home at its next start, under a higher number', async () => {
    await start();
    const moved = await start({ env: { HEARTH_SITE_URL: 'https://new.hearth.example' } });
    const { document } = await documentOf(moved);
    expect(document).toMatchObject({ doc_seq: started + 1, base_url: 'https://new.hearth.example/v0' });
  });

  test('has a higher number than any before, even on a database from last week', async () => {
    const first = await start();
    clock.advance(6 * 24 * hour);
    const { document: lost } = await documentOf(first);
    await first.run({ text: `delete from federation.documents where doc_seq = ${lost.doc_seq}` });
    clock.advance(minute);
    const { document } = await documentOf(first);
    expect(document.doc_seq).toBeGreaterThan(lost.doc_seq);
  });

  test('is not reissued back and forth by replicas with two settings', async () => {
    const old = await start();
    const renewed = await start({ env: { HEARTH_SITE_URL: 'https://new.hearth.example' } });
    for (let round = 0; round < 5; round += 1) {
      expect((await documentOf(old)).document.doc_seq).toBe(started + 1);
      expect((await documentOf(renewed)).document.doc_seq).toBe(started + 1);
    }
    clock.advance(60_000);
    expect((await documentOf(renewed)).document.doc_seq).toBe(started + 1);
  });
});
