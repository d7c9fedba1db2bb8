import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { manualClock } from '@hearth/clock';
import { KeysService } from '@hearth/proto/federation/v1/keys';
import {
  importPrivateJwk,
  type KeptDocument,
  type KeyPair,
  keyPairFromSeed,
  type ListedKey,
  receiveDocument,
  signRecord,
  verifyRecord,
} from '@hearth/signing';
import { createMigratedDatabase } from '@hearth/testkit/migrated-database';
import type { TestDatabase } from '@hearth/testkit/postgres';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { federation } from '../src/service.ts';
import { home, startFederation, type TestFederation } from './start-federation.ts';

const hour = 3_600_000;

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

async function start(env: Record<string, string> = {}): Promise<TestFederation> {
  const started = await startFederation({ databaseUrl: testDatabase.url, clock, logLevel: 'info', env });
  running.push(started);
  return started;
}

interface Document {
  doc_seq: number;
  issued_at: string;
  valid_until: string;
  keys: ListedKey[];
  signatures: { protected: string }[];
}

const operate = (federation: TestFederation) => federation.client(KeysService);
const documentOf = async (federation: TestFederation): Promise<Document> =>
  JSON.parse((await federation.as('gateway').getHomeDocument({})).json);
const statusesIn = ({ keys }: Document) => Object.fromEntries(keys.map(({ kid, status }) => [kid, status]));

async function signedBy(federation: TestFederation): Promise<string> {
  const issued_at = new Date(clock.now()).toISOString();
  const json = JSON.stringify({ v: 1, type: 'card', home, issued_at });
  const { signature } = await federation.as('identity').sign({ typ: 'svc-card+jws', json });
  return JSON.parse(Buffer.from(signature!.protected, 'base64url').toString()).kid;
}

/** Returns the kids with a valid signature under the document, by the keys of `known`. */
function vouching(document: Document, known: Document): string[] {
  const { kids } = verifyRecord(document, {
    expectedType: 'svc-home+jws',
    home,
    keys: known.keys,
    now: clock.now(),
  });
  return kids;
}

/** Returns a reader's verdict on the document that is currently served. */
const receive = async (federation: TestFederation, kept: KeptDocument | null) =>
  receiveDocument(kept, await documentOf(federation), { home, now: clock.now() });

const keyFileOf = (federation: TestFederation) => join(federation.dataFolder, 'recovery.key');
const exported = (federation: TestFederation): KeyPair =>
  importPrivateJwk(JSON.parse(readFileSync(keyFileOf(federation), 'utf8')));

/** Signs as the operator does, with a private key that the home does not have. */
async function recover(federation: TestFederation, pair: KeyPair) {
  const { document } = await operate(federation).recoverKeys({});
  const signed = signRecord(document as object, { key: pair, typ: 'svc-home+jws' });
  return await operate(federation).recoverKeys({ document: signed as never, reason: 'stolen' });
}

describe('the recovery key', () => {
  test('is created at the first start, listed, and given only to the operator', async () => {
    const federation = await start();
    const [signing, recovery] = (await documentOf(federation)).keys;
    expect(signing!.uses).toEqual(['record', 'request']);
    expect(recovery).toMatchObject({ uses: ['recovery'], status: 'active' });
    expect(exported(federation).kid).toBe(recovery!.kid);
    expect(statSync(keyFileOf(federation)).mode & 0o777).toBe(0o600);
    const stored = await federation.database.db.query<{ row: string }>({
      text: 'select k::text as row from federation.keys k',
    });
    const { d } = JSON.parse(readFileSync(keyFileOf(federation), 'utf8'));
    const everything = [...stored.map(({ row }) => row), ...federation.logged].join('\n');
    expect(everything).toContain(keyFileOf(federation));
    expect(everything).not.toContain(d);

    const replica = await start();
    expect((await documentOf(replica)).keys.map(({ kid }) => kid)).toEqual([signing!.kid, recovery!.kid]);
    expect(() => exported(replica)).toThrow('ENOENT');
  });

  test('made by the operator is listed by its public half, and no file is written', async () => {
    const pair = keyPairFromSeed(new Uint8Array(32).fill(9));
    const federation = await start({ HEARTH_RECOVERY_KEY: pair.x });
    const [, recovery] = (await documentOf(federation)).keys;
    expect(recovery).toMatchObject({ kid: pair.kid, uses: ['recovery'], status: 'active' });
    expect(() => exported(federation)).toThrow('ENOENT');
    await recover(federation, pair);
  });

  test('signs only home documents, and verifies no record', async () => {
    const federation = await start();
    const issued_at = new Date(clock.now()).toISOString();
    const record = signRecord(
      { v: 1, type: 'approval.answer', home, issued_at },
      {
        key: exported(federation),
        typ: 'svc-record+jws',
      },
    );
    const answer = await federation.records('gateway').verifyRecord({ record: JSON.stringify(record) });
    expect(answer.valid).toBe(false);
  });

  test('that was lost is replaced, signed by the signing key', async () => {
    const federation = await start();
    const before = await documentOf(federation);
    const { key, recoveryKey } = await operate(federation).rotateKey({ recovery: true });
    const document = await documentOf(federation);
    expect(statusesIn(document)).toMatchObject({
      [key!.kid]: 'active',
      [exported(federation).kid]: 'retired',
    });
    expect(vouching(document, before)).toEqual([before.keys[0]!.kid]);
    expect(importPrivateJwk(JSON.parse(recoveryKey!)).kid).toBe(key!.kid);
    expect(federation.logged.join('\n')).not.toContain(JSON.parse(recoveryKey!).d);
    await expect(recover(federation, exported(federation))).rejects.toThrow('not signed by a recovery key');
  });
});

describe('a change of the signing key', () => {
  test('is listed for two days, then signs, keeps the previous key for two more, and reports each step', async () => {
    const [federation, replica] = [await start(), await start()];
    const {
      keys: [old],
    } = await documentOf(federation);
    const { key } = await operate(federation).rotateKey({ reason: 'routine' });
    const next = key!.kid;
    // Collected at each step, because the outbox deletes events in time.
    const told = new Map<string, unknown[]>();
    const gather = async () => {
      for (const { id, data } of await federation.events('federation', 'homeKeyChanged'))
        told.set(id, [data.value.kid, data.value.status, data.value.reason]);
    };
    await gather();
    expect(statusesIn(await documentOf(replica))).toMatchObject({ [next]: 'next', [old!.kid]: 'active' });
    await expect(operate(replica).rotateKey({})).rejects.toMatchObject({
      details: { code: 'already_settled' },
    });
    expect(await signedBy(federation)).toBe(old!.kid);

    clock.advance(48 * hour - 1);
    await replica.runJob('federation: follow-keys');
    expect(await signedBy(replica)).toBe(old!.kid);
    clock.advance(1);
    await replica.runJob('federation: follow-keys');
    await federation.runJob('federation: follow-keys');
    expect(await signedBy(replica)).toBe(next);
    expect(await signedBy(federation)).toBe(next);
    const both = await documentOf(federation);
    expect(vouching(both, both)).toEqual([next, old!.kid]);
    await gather();

    clock.advance(48 * hour);
    await federation.runJob('federation: follow-keys');
    const after = await documentOf(federation);
    expect(after.keys.find(({ kid }) => kid === old!.kid)).toMatchObject({
      status: 'retired',
      not_after: '2026-03-05T12:00:00.000Z',
      not_before: old!.not_before,
    });
    expect(vouching(after, after)).toEqual([next]);
    await gather();
    expect([...told.values()]).toEqual([
      [next, 'next', 'routine'],
      [next, 'active', ''],
      [old!.kid, 'retired', ''],
    ]);
    // Four documents, four numbers.
    const seqs = await federation.database.db.query<{ seq: number }>({
      text: 'select doc_seq as seq from federation.documents order by issued_at, doc_seq',
    });
    expect(new Set(seqs.map(({ seq }) => seq)).size).toBe(seqs.length);
  });

  test('at once is picked up by a replica that missed the signal', async () => {
    const [federation, replica] = [await start(), await start()];
    clock.advance(1_000);
    const { key } = await operate(federation).rotateKey({ now: true });
    expect(await signedBy(federation)).toBe(key!.kid);
    expect(await signedBy(replica)).not.toBe(key!.kid);
    // Each of these homes has its own bus, so no signal arrives: the job reads the keys.
    await replica.runJob('federation: follow-keys');
    expect(await signedBy(replica)).toBe(key!.kid);
  });

  test('at once is picked up by the signal', async () => {
    const [federation, replica] = [await start(), await start()];
    clock.advance(1_000);
    const { key } = await operate(federation).rotateKey({ now: true });
    replica.signal('home_keys');
    for (let tries = 0; tries < 100 && (await signedBy(replica)) !== key!.kid; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await signedBy(replica)).toBe(key!.kid);
  });

  test('with the reason compromised revokes the key', async () => {
    const federation = await start();
    const before = await documentOf(federation);
    const { key } = await operate(federation).rotateKey({ reason: 'compromised' });
    const { key: ofRecovery } = await operate(federation).rotateKey({
      recovery: true,
      reason: 'compromised',
    });
    expect(statusesIn(await documentOf(federation))).toEqual({
      ...Object.fromEntries(before.keys.map(({ kid }) => [kid, 'revoked'])),
      [key!.kid]: 'active',
      [ofRecovery!.kid]: 'active',
    });
    expect(await signedBy(federation)).toBe(key!.kid);
  });

  test('is accepted by services whose clocks are behind', async () => {
    const federation = await start();
    clock.advance(1_000);
    await operate(federation).rotateKey({ now: true });
    const issued_at = new Date(clock.now() - 4 * 60_000).toISOString();
    const json = JSON.stringify({ v: 1, type: 'card', home, issued_at });
    await federation.as('identity').sign({ typ: 'svc-card+jws', json });
  });

  test('on two replicas at the same moment makes one key', async () => {
    const replicas = [await start(), await start()];
    const answers = await Promise.allSettled(replicas.map((replica) => operate(replica).rotateKey({})));
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await documentOf(replicas[0]!)).keys).toHaveLength(3);
  });
});

describe('a revoked signing key', () => {
  test('ends by its own signature for homes that know no other key, and the recovery key names its successor', async () => {
    const federation = await start();
    const held = await documentOf(federation);
    const { kept } = await receive(federation, null);
    const [stolen] = held.keys;
    const { key, replacedBy, recoveryKey } = await operate(federation).revokeKey({
      kid: stolen!.kid,
      reason: 'stolen',
    });
    expect(recoveryKey).toBeUndefined();
    expect(key!.kid).toBe(stolen!.kid);
    const successor = replacedBy!.kid;
    expect(await signedBy(federation)).toBe(successor);

    // Signed by the revoked key and its successor: homes with the earlier document apply the revocation, and
    // wait.
    const first = await documentOf(federation);
    expect(statusesIn(first)).toMatchObject({ [stolen!.kid]: 'revoked', [successor]: 'active' });
    expect(first.keys.find(({ kid }) => kid === stolen!.kid)!.revoked_at).toBe('2026-03-01T12:00:00.000Z');
    expect(vouching(first, held)).toEqual([stolen!.kid]);
    expect(vouching(first, first)).toEqual([successor]);
    const waiting = await receive(federation, kept);
    expect(waiting).toMatchObject({ verdict: 'key_revoked', kept: { revoked: [stolen!.kid] } });

    clock.advance(60_000);
    const { published } = await recover(federation, exported(federation));
    expect(published).toBe(true);
    const second = await documentOf(federation);
    expect(vouching(second, held)).toEqual([exported(federation).kid, stolen!.kid]);
    expect(vouching(second, second)).toEqual([exported(federation).kid, successor]);
    expect((await receive(federation, waiting.kept)).verdict).toBe('accepted');
    expect(Date.parse(second.valid_until) - Date.parse(second.issued_at)).toBe(7 * 24 * hour);
    const { document } = await operate(federation).listKeys({});
    expect(document!.signedBy).toContain(exported(federation).kid);
    const events = await federation.events('federation', 'homeKeyChanged');
    expect(events.map(({ data: { value } }) => value.status).sort()).toEqual([
      'active',
      'recovered',
      'revoked',
    ]);

    // It stays valid, and so does its successor: after a week the revoked key signs nothing.
    clock.advance(6 * 24 * hour);
    expect(await documentOf(federation)).toEqual(second);
    clock.advance(24 * hour);
    await federation.runJob('federation: follow-keys');
    expect((await documentOf(federation)).signatures).toHaveLength(1);
  });

  test('with a listed next key is followed by that key', async () => {
    const federation = await start();
    const [old] = (await documentOf(federation)).keys;
    const { key } = await operate(federation).rotateKey({});
    const { kept } = await receive(federation, null);
    clock.advance(25 * hour);
    const { replacedBy } = await operate(federation).revokeKey({ kid: old!.kid });
    expect(replacedBy!.kid).toBe(key!.kid);
    expect((await receive(federation, kept)).verdict).toBe('accepted');
  });

  test('cannot be revoked twice, and an unknown key is not found', async () => {
    const federation = await start();
    const [key] = (await documentOf(federation)).keys;
    await operate(federation).revokeKey({ kid: key!.kid });
    await expect(operate(federation).revokeKey({ kid: key!.kid })).rejects.toMatchObject({
      details: { code: 'already_settled' },
    });
    await expect(operate(federation).revokeKey({ kid: 'none' })).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('that was a recovery key is replaced, and the new secret is shown once', async () => {
    const federation = await start();
    const { kid } = exported(federation);
    const { replacedBy, recoveryKey } = await operate(federation).revokeKey({ kid });
    expect(importPrivateJwk(JSON.parse(recoveryKey!)).kid).toBe(replacedBy!.kid);
    await expect(recover(federation, exported(federation))).rejects.toThrow('not signed by a recovery key');
    await recover(federation, importPrivateJwk(JSON.parse(recoveryKey!)));
  });
});

describe('a document that the recovery key signed', () => {
  test.each([
    [
      'by another key',
      async (federation: TestFederation) => recover(federation, keyPairFromSeed(Buffer.alloc(32, 9))),
    ],
    [
      'with other keys in it',
      async (federation: TestFederation) => {
        const { document } = await operate(federation).recoverKeys({});
        const changed = { ...(document as object), keys: [] };
        const signed = signRecord(changed, { key: exported(federation), typ: 'svc-home+jws' });
        return await operate(federation).recoverKeys({ document: signed as never });
      },
    ],
    [
      'an hour ago',
      async (federation: TestFederation) => {
        const { document } = await operate(federation).recoverKeys({});
        clock.advance(hour);
        const signed = signRecord(document as object, { key: exported(federation), typ: 'svc-home+jws' });
        return await operate(federation).recoverKeys({ document: signed as never });
      },
    ],
  ])('is not published when it is signed %s', async (_, publish) => {
    const federation = await start();
    const before = await documentOf(federation);
    await expect(publish(federation)).rejects.toMatchObject({ kind: 'bad_request' });
    expect(await documentOf(federation)).toEqual(before);
  });
});
