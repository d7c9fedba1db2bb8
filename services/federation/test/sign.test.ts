import { type JsonObject, parseStrictJson, verifyRecord } from '@hearth/signing';
import { afterAll, describe, expect, test } from '@jest/globals';
import { home, startFederation } from './start-federation.ts';

const federation = await startFederation();
afterAll(() => federation.stop());

const card = (changes: object = {}) => ({
  v: 1,
  type: 'card',
  home,
  name: 'Robin',
  issued_at: new Date(federation.clock.now()).toISOString(),
  ...changes,
});
const sign = (record: object | string, typ = 'svc-card+jws') =>
  federation.as('identity').sign({ typ, json: typeof record === 'string' ? record : JSON.stringify(record) });

describe('signing for a service', () => {
  test('returns a signature that verifies by the home document', async () => {
    const record = card();
    const { signature } = await sign(record);
    const document = JSON.parse((await federation.as('gateway').getHomeDocument({})).json);
    const { protected: header, signature: bytes } = signature!;
    const verification = verifyRecord(
      { ...record, signature: { protected: header, signature: bytes } },
      {
        expectedType: 'svc-card+jws',
        home,
        keys: document.keys,
        now: federation.clock.now(),
      },
    );
    expect(verification).toMatchObject({ valid: true, problems: [] });
    expect(parseStrictJson(Buffer.from(header, 'base64url').toString()) as JsonObject).toEqual({
      alg: 'EdDSA',
      kid: document.keys[0].kid,
      typ: 'svc-card+jws',
    });
  });

  test.each([
    ['of another home', () => card({ home: 'other.example' }), 'bad_request'],
    ['of another type', () => card({ type: 'approval.answer' }), 'forbidden'],
    ['dated last week', () => card({ issued_at: '2026-02-22T12:00:00.000Z' }), 'bad_request'],
    ['with an invalid time', () => card({ issued_at: 'today' }), 'bad_request'],
    ['with a fraction', () => card({ reach: 1.5 }), 'bad_request'],
    ['that is already signed', () => card({ signature: {} }), 'bad_request'],
    ['that is a list', () => '[]', 'bad_request'],
    ['that is no JSON', () => '{', 'bad_request'],
    ['with a duplicate member', () => '{"v":1,"type":"card","type":"card"}', 'bad_request'],
    ['of 128 KiB', () => card({ name: 'x'.repeat(131_072) }), 'too_large'],
  ])('refuses a record %s', async (_, record, kind) => {
    await expect(sign(record())).rejects.toMatchObject({ kind });
  });

  test('refuses a card as another record type', async () => {
    for (const typ of ['svc-record+jws', 'svc-envelope+jws', 'svc-home+jws', 'none', '']) {
      await expect(sign(card(), typ)).rejects.toMatchObject({ kind: 'forbidden' });
    }
  });

  test('is limited to the services that issue records', async () => {
    for (const service of ['gateway', 'messages', 'delivery'] as const) {
      const request = { typ: 'svc-card+jws', json: JSON.stringify(card()) };
      await expect(federation.as(service).sign(request)).rejects.toMatchObject({ kind: 'forbidden' });
    }
    await expect(federation.as('messages').getHomeDocument({})).rejects.toMatchObject({ kind: 'forbidden' });
  });
});
