import { createPublicKey, hash, randomBytes, verify } from 'node:crypto';
import { create, toJson } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { manualClock } from '@hearth/clock';
import { openDatabase } from '@hearth/db';
import { createIds, printId, type Random, systemRandom } from '@hearth/ids';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { HomePolicy, HomesService } from '@hearth/proto/federation/v1/homes';
import { RecordsService, Verdict } from '@hearth/proto/federation/v1/records';
import { CallerKind } from '@hearth/proto/options';
import { rulesOf } from '@hearth/proto-json';
import {
  type KeyPair,
  keyPairFromSeed,
  maxRecordBytes,
  maxUnsignedBytes,
  type RecordType,
  signRecord,
  verifyRecord,
} from '@hearth/signing';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { afterAll, describe, expect, test } from '@jest/globals';
import { listedKey, startOtherHome } from './other-home.ts';
import { home, startFederation } from './start-federation.ts';

const federation = await startFederation();
afterAll(() => federation.stop());

const ids = createIds({ now: () => Date.UTC(2026, 2, 1) }, systemRandom);
const sha256 = (text: string) => hash('sha256', text, 'buffer');

function record(id: string, changes: object = {}) {
  return {
    v: 1,
    type: 'approval.answer',
    id: printId('rec', id),
    home,
    issued_at: new Date(federation.clock.now()).toISOString(),
    subject: { kind: 'approval', id: 'apr_1' },
    status: 'approved',
    ...changes,
  };
}

async function keep(changes: object = {}, viewers: string[] = [], receipt = 'the-key-of-a-receipt') {
  const id = ids.uuid();
  const { json } = await federation.records('approvals').keepRecord({
    id,
    json: JSON.stringify(record(id, changes)),
    receiptHash: sha256(receipt),
    viewers,
  });
  return { id: printId('rec', id), uuid: id, json };
}

const person = (id: string): Caller => create(CallerSchema, { kind: CallerKind.PERSON, id });
const anonymous = create(CallerSchema, { kind: CallerKind.ANONYMOUS });

async function read(id: string, caller: Caller, k?: string) {
  const found = await federation
    .records('gateway')
    .getRecord({ id, ...(k !== undefined && { k }) }, { caller });
  return toJson(StructSchema, found);
}

describe('a stored record', () => {
  test('is signed by the home, and verifies by the home document', async () => {
    const { json } = await keep();
    const document = JSON.parse((await federation.as('gateway').getHomeDocument({})).json);
    expect(document.records.types).toContain('approval.answer');
    const verification = verifyRecord(JSON.parse(json), {
      expectedType: 'svc-record+jws',
      home,
      keys: document.keys,
      now: federation.clock.now(),
    });
    expect(verification).toMatchObject({ valid: true, problems: [] });
  });

  test('is verified up to the size limit, and not signed above it', async () => {
    const room = maxUnsignedBytes - Buffer.byteLength(JSON.stringify(record(ids.uuid(), { note: '' })));
    const { json } = await keep({ note: '💬'.repeat(Math.floor(room / 4)) });
    expect(Buffer.byteLength(json)).toBeGreaterThan(maxUnsignedBytes);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(maxRecordBytes);
    expect(maxRecordBytes).toBe(rulesOf(RecordsService.method.verifyRecord.input.field.record).maxJsonBytes);
    expect(await federation.records('gateway').verifyRecord({ record: json })).toMatchObject({
      valid: true,
    });
    await expect(keep({ note: 'x'.repeat(room + 1) })).rejects.toMatchObject({ kind: 'too_large' });
  });

  test('is always the first one signed, for repeated and concurrent requests', async () => {
    const id = ids.uuid();
    const ask = (status: string) =>
      federation.records('approvals').keepRecord({
        id,
        json: JSON.stringify(record(id, { status })),
        receiptHash: sha256('k'),
        viewers: [],
      });
    const kept = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(`status-${index}`)));
    expect(new Set(kept.map(({ json }) => json)).size).toBe(1);
    federation.clock.advance(3_600_000);
    expect((await ask('later')).json).toBe(kept[0]!.json);
  });

  test('can be read with its receipt key and by its parties, and is not found by anyone else', async () => {
    const [viewer, app, stranger] = [ids.uuid(), ids.uuid(), ids.uuid()];
    const { id, json } = await keep({}, [viewer, app]);
    const whole = JSON.parse(json);
    expect(await read(id, anonymous, 'the-key-of-a-receipt')).toEqual(whole);
    expect(await read(id, person(viewer))).toEqual(whole);
    expect(await read(id, create(CallerSchema, { kind: CallerKind.APP, id: app, app }))).toEqual(whole);
    const ai = create(CallerSchema, { kind: CallerKind.AI, id: stranger, person: viewer });
    expect(await read(id, ai)).toEqual(whole);
    const unknown = { kind: 'not_found' };
    await expect(read(id, anonymous)).rejects.toMatchObject(unknown);
    await expect(read(id, anonymous, 'another-key-of-16')).rejects.toMatchObject(unknown);
    await expect(read(id, person(stranger))).rejects.toMatchObject(unknown);
    // An app that acts for a person sees what the person sees.
    const held = create(CallerSchema, { kind: CallerKind.PERSON, id: stranger, app });
    await expect(read(id, held)).rejects.toMatchObject(unknown);
    for (const bad of [
      '',
      'rec_',
      'apr_0',
      `${id}0`,
      "rec_'; drop table records",
      printId('rec', ids.uuid()),
    ]) {
      await expect(read(bad, person(viewer))).rejects.toMatchObject(unknown);
    }
  });

  test.each([
    ['of another type', { type: 'card' }, 'forbidden'],
    ['of another home', { home: 'other.example' }, 'bad_request'],
    ['under another id', { id: 'rec_00000000000070008000000000000000' }, 'bad_request'],
    ['dated last week', { issued_at: '2026-02-20T12:00:00.000Z' }, 'bad_request'],
    ['with a fraction', { share: 0.5 }, 'bad_request'],
  ])('%s is not signed', async (_, changes, kind) => {
    await expect(keep(changes)).rejects.toMatchObject({ kind });
  });

  test('can only be stored by approvals', async () => {
    const id = ids.uuid();
    const request = { id, json: JSON.stringify(record(id)), receiptHash: sha256('k'), viewers: [] };
    for (const service of ['gateway', 'identity', 'messages'] as const) {
      await expect(federation.records(service).keepRecord(request)).rejects.toMatchObject({
        kind: 'forbidden',
      });
    }
    const short = { ...request, receiptHash: Buffer.from('k') };
    await expect(federation.records('approvals').keepRecord(short)).rejects.toMatchObject({
      kind: 'bad_request',
    });
    const names = { ...request, viewers: ['robin'] };
    await expect(federation.records('approvals').keepRecord(names)).rejects.toMatchObject({
      kind: 'bad_request',
    });
  });
});

describe('verifying', () => {
  const check = async (given: object) => {
    const answer = await federation
      .records('gateway')
      .verifyRecord({ record: JSON.stringify(given) }, { caller: anonymous });
    return answer;
  };

  test('a record of this home is valid, with the key that signed it', async () => {
    const { json } = await keep();
    expect(await check(JSON.parse(json))).toMatchObject({
      valid: true,
      home,
      type: 'approval.answer',
      keyStatus: 'active',
      problems: [],
    });
  });

  test('one changed word is detected, and so is another signature', async () => {
    const { json } = await keep();
    const whole = JSON.parse(json);
    const changed = await check({ ...whole, status: 'declined' });
    expect(changed).toMatchObject({
      ...{ valid: false, problems: ['the signature does not fit the object'], faults: ['mismatch'] },
    });
    const other = {
      ...whole,
      signature: { ...whole.signature, signature: randomBytes(64).toString('base64url') },
    };
    expect((await check(other)).valid).toBe(false);
  });

  test.each([
    ['no home', { home: 7 }, 'signature'],
    ['no signature', { home: 'hearth.example' }, 'signature'],
    ['an invalid signature', { home: 'hearth.example', signature: { protected: '%%', signature: [] } }, ''],
    ['nothing at all', {}, 'signature'],
  ])('%s is reported in words', async (_, given, words) => {
    const answer = await check(given);
    expect(answer.valid).toBe(false);
    expect(answer.problems).toHaveLength(1);
    expect(answer.problems[0]).toContain(words);
  });
});

describe('a record of another home', () => {
  const clock = manualClock(new Date(federation.clock.now()).toISOString());
  const [key, other] = [keyPairFromSeed(Buffer.alloc(32, 1)), keyPairFromSeed(Buffer.alloc(32, 2))];

  async function startBoth(env: Record<string, string> = {}) {
    const there = await startOtherHome(clock);
    there.lists([listedKey(key, clock)], [key]);
    const here = await startFederation({
      clock: new Date(clock.now()).toISOString(),
      env: {
        HEARTH_HOME: 'localhost:8080',
        HEARTH_SITE_URL: '',
        HEARTH_DEV_HOMES: `localhost:1,${there.name}`,
        ...env,
      },
    });
    const of = (by: KeyPair, typ: RecordType = 'svc-record+jws', changes: object = {}) =>
      signRecord({ ...record(ids.uuid(), { home: there.name }), ...changes }, { key: by, typ });
    const check = async (given: object) =>
      await here.records('gateway').verifyRecord({ record: JSON.stringify(given) }, { caller: anonymous });
    const stop = async () => void (await Promise.all([here.stop(), there.stop()]));
    return { there, here, of, check, stop };
  }

  test('is verified by the document of that home, fetched once: records, cards and altered ones', async () => {
    const { there, of, check, stop } = await startBoth();
    const { VALID, INVALID } = Verdict;
    const good = of(key);
    expect(await check(good)).toMatchObject({
      ...{ valid: true, verdict: VALID, home: there.name, kid: key.kid, keyStatus: 'active', problems: [] },
    });
    const card = of(key, 'svc-card+jws', { type: 'card' });
    expect(await check(card)).toMatchObject({ valid: true, type: 'card' });
    expect(await check({ ...good, status: 'declined' })).toMatchObject({ valid: false, verdict: INVALID });
    expect(there.asked()).toBe(1);
    // An unknown key is looked up three times a minute (home_refetches_a_minute), and no more.
    for (let times = 0; times < 6; times += 1)
      expect(await check(of(other))).toMatchObject({ kid: other.kid, valid: false });
    expect(there.asked()).toBe(4);
    // No home is asked about a record that names no key.
    expect(await check({ home: 'never.example', type: 'card' })).toMatchObject({ verdict: INVALID });
    await stop();
  });

  test('is unknown, not invalid, while the keys of that home are unavailable', async () => {
    const { there, here, of, check, stop } = await startBoth();
    there.answers((_, response) => response.writeHead(503).end());
    expect(await check(of(key))).toMatchObject({
      ...{ valid: false, verdict: Verdict.UNKNOWN, home: there.name, kid: key.kid },
      problems: [expect.stringContaining(`the keys of ${there.name} cannot be had now`)],
    });
    there.answers(null);
    here.clock.advance(600_000);
    clock.advance(600_000);
    const good = of(key);
    expect(await check(good)).toMatchObject({ verdict: Verdict.VALID, notes: [] });
    // The home is gone for good, but its earlier signatures stay valid.
    there.answers((_, response) => response.writeHead(503).end());
    here.clock.advance(2 * 24 * 3_600_000);
    expect(await check(good)).toMatchObject({
      verdict: Verdict.VALID,
      notes: [expect.stringContaining('keys that it revoked since then')],
    });
    expect(await check(of(other))).toMatchObject({ verdict: Verdict.UNKNOWN });
    await stop();
  });

  test('is unknown when this home asks no more new homes, or does not talk with that home', async () => {
    const { there, here, of, check, stop } = await startBoth({
      HEARTH_LIMITS: '{"home_fetches_a_minute":1}',
    });
    await check(of(key, 'svc-record+jws', { home: 'localhost:1' }));
    expect(await check(of(key))).toMatchObject({
      verdict: Verdict.UNKNOWN,
      problems: [expect.stringContaining('try again in a minute')],
    });
    await here
      .client(HomesService, 'gateway')
      .setHomePolicy({ home: there.name, mode: HomePolicy.DENIED, reason: '' });
    expect(await check(of(key))).toMatchObject({
      verdict: Verdict.UNKNOWN,
      problems: [`this home does not talk with ${there.name}`],
    });
    expect(there.asked()).toBe(0);
    await stop();
  });
});

test.each([
  ['40,000 empty objects', { list: Array(40_000).fill({}) }],
  ['11,000 members', Object.fromEntries(Array.from({ length: 11_000 }, (_, index) => [index, 0]))],
  ['deeply nested records', JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)],
])('%s are refused by their number or depth before anything else', async (_, given) => {
  const asked = federation.records('gateway').verifyRecord({ record: JSON.stringify(given) });
  await expect(asked).rejects.toMatchObject({
    kind: 'bad_request',
    message: expect.stringMatching(
      /^record: cannot be read: .*(more than 8192 members|nested deeper than 32)/,
    ),
  });
});

test('a record by a retired key is valid only if the home stored it, because a stolen old key can backdate', async () => {
  const drawn: Buffer[] = [];
  const random: Random = {
    bytes(count) {
      drawn.push(Buffer.from(systemRandom.bytes(count)));
      return Buffer.from(drawn.at(-1)!);
    },
  };
  const testDatabase = await createTestDatabase();
  const clock = new Date(federation.clock.now()).toISOString();
  const before = await startFederation({ databaseUrl: testDatabase.url, clock, random });
  const id = ids.uuid();
  const { json } = await before.records('approvals').keepRecord({
    id,
    json: JSON.stringify(record(id)),
    receiptHash: sha256('k'),
    viewers: [],
  });
  const kept = JSON.parse(json);
  const { kid } = JSON.parse(Buffer.from(kept.signature.protected, 'base64url').toString());
  await before.stop();
  const database = openDatabase({ url: testDatabase.url, clock: federation.clock });
  await database.transaction((tx) =>
    tx.execute({
      text: `update federation.keys set status = 'retired', not_after = $2 where kid = $1`,
      values: [kid, new Date(federation.clock.now() + 1_000)],
    }),
  );
  await database.close();

  const after = await startFederation({ databaseUrl: testDatabase.url, clock });
  const check = async (given: object) =>
    await after.records('gateway').verifyRecord({ record: JSON.stringify(given) }, { caller: anonymous });
  expect(await check(kept)).toMatchObject({ valid: true, kid, keyStatus: 'retired' });
  expect((await check({ ...kept, co_signatures: ['x'] })).valid).toBe(true);

  const pair = drawn.filter(({ length }) => length === 32).map((seed) => keyPairFromSeed(seed));
  const stolen = pair.find((key) => key.kid === kid)!;
  for (const changes of [{ status: 'declined' }, { id: printId('rec', ids.uuid()) }, { id: 7 }]) {
    const forged = signRecord({ ...record(id, changes) }, { key: stolen, typ: 'svc-record+jws' });
    const problems = [expect.stringContaining('has kept no such record')];
    expect(await check(forged)).toMatchObject({
      ...{ valid: false, keyStatus: 'retired', problems, faults: ['not_kept'] },
    });
  }
  await after.stop();
  await testDatabase.drop();
});

describe('a webhook', () => {
  const id = `apr_${'0'.repeat(32)}`;
  const body = Buffer.from('{"to":"https://robin.example/","status":"approved"}');

  test('is signed with a key from the home document, over id, time and body', async () => {
    const document = JSON.parse((await federation.as('gateway').getHomeDocument({})).json);
    const { x } = document.keys[0];
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const { signature } = await federation
      .as('delivery')
      .signWebhook({ id, timestamp: 1_772_366_400n, body });
    const [version, base64] = signature.split(',');
    expect(version).toBe('v1a');
    const signed = (text: string) => verify(null, Buffer.from(text), key, Buffer.from(base64!, 'base64'));
    expect(signed(`${id}.1772366400.${body}`)).toBe(true);
    expect(signed(`${id}.1772366401.${body}`)).toBe(false);
  });

  test('needs an id that cannot begin a record, a time, and a receiver', async () => {
    const sign = (change: object) =>
      federation.as('delivery').signWebhook({ id, timestamp: 1n, body, ...change } as never);
    for (const bad of ['', 'eyJhbGciOiJFZERTQSJ9', 'apr_1', `${id}.1`, `rec_${'0'.repeat(32)}`]) {
      await expect(sign({ id: bad })).rejects.toMatchObject({ kind: 'bad_request' });
    }
    await expect(sign({ timestamp: 0n })).rejects.toMatchObject({ kind: 'bad_request' });
    const large = Buffer.concat([body, Buffer.alloc(262_145)]);
    await expect(sign({ body: large })).rejects.toMatchObject({ kind: 'too_large' });
    for (const nameless of ['', '{}', '{"status":"approved"}', '["to"]']) {
      await expect(sign({ body: Buffer.from(nameless) })).rejects.toThrow('names its receiver');
    }
    const request = { id, timestamp: 1n, body };
    await expect(federation.as('messages').signWebhook(request)).rejects.toMatchObject({ kind: 'forbidden' });
    expect(FederationService.method.signWebhook.idempotency).toBeDefined();
  });
});
