import { createHash } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { unavailable } from '@hearth/errors';
import { parseId, type Random, systemRandom } from '@hearth/ids';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { KeyProofSchema, type SignUpRequest } from '@hearth/proto/identity/v1/identity';
import { CardSchema, Platform } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import { writeMessage } from '@hearth/proto-json';
import type { ResponseMetadata } from '@hearth/rpc';
import {
  exportPublicJwk,
  generateKeyPair,
  type KeyPair,
  type RecordType,
  signRecord,
  verifyRecord,
} from '@hearth/signing';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { anyoneFrom, siteUrl, startIdentity } from './start-identity.ts';

const caller = anyoneFrom('203.0.113.0/24');

/** Real randomness, except while codes of free addresses are queued here. */
const nextCodes: number[] = [];
const random: Random = {
  bytes(count) {
    const code = count === 6 ? nextCodes.shift() : undefined;
    return code === undefined ? systemRandom.bytes(count) : new Uint8Array(6).fill(code);
  },
};

const home = await startIdentity({ random });
afterAll(() => home.stop());
afterEach(() => {
  home.neighbours.signError = undefined;
  nextCodes.length = 0;
});

async function signUp(fields: Partial<SignUpRequest>, from = caller) {
  let metadata: ResponseMetadata | undefined;
  const answer = await home.client.signUp(
    { name: 'Robin', ...fields },
    {
      caller: from,
      onMetadata: (found) => {
        metadata = found;
      },
    },
  );
  return { ...answer, status: metadata?.httpStatus };
}

const count = async (table: string) =>
  (await home.database.db.one<{ count: number }>({ text: `select count(*) from identity.${table}` })).count;

/** Proof of a key for Robin's sign-up, now. */
function proofBy(
  pair: KeyPair,
  more: object = {},
  typ: RecordType = 'svc-key+jws',
): SignUpRequest['keyProof'] {
  const issuedAt = new Date(home.clock.now()).toISOString();
  const signed = { home: 'hearth.example', issued_at: issuedAt, name: 'Robin', purpose: 'sign_up', ...more };
  const { issued_at, signature } = signRecord(signed, { key: pair, typ });
  return create(KeyProofSchema, { issuedAt: issued_at, ...signature });
}

describe('signing up', () => {
  test('creates an AI with an address, a key, a claim link and a signed card', async () => {
    const answer = await signUp({
      name: ' Robin the  Planner ',
      description: 'I plan trips',
      platform: Platform.CLAUDE,
    });
    expect(answer.address).toMatch(/^@free-[a-z0-9]{6}\.ai-robin-the-planner$/);
    expect(answer.connectorKey).toMatch(/^hearth_ai_[0-9A-Za-z]{43}$/);
    expect(answer.claimLink).toMatch(new RegExp(`^${siteUrl}/claim/[A-Za-z0-9_-]{43}$`));
    expect(answer.next).toMatch(/\.$/);
    expect(answer.status ?? 0).toBe(0);
    expect(answer.ai).toMatchObject({
      address: answer.address,
      name: 'Robin the Planner',
      platform: Platform.CLAUDE,
      status: AiStatus.UNCLAIMED,
      permissions: [Scope.READ, Scope.MESSAGE],
      revoked: false,
    });
    expect(answer.ai!.id).toMatch(/^ai_[0-9a-f]{32}$/);

    const json = writeMessage(CardSchema, answer.card!);
    expect(json).toMatchObject({
      type: 'card',
      address: answer.address,
      name_verified: false,
      description: 'I plan trips',
    });
    const verification = verifyRecord(JSON.parse(JSON.stringify(json)), {
      expectedType: 'svc-card+jws',
      home: 'hearth.example',
      keys: home.neighbours.keys,
      now: home.clock.now(),
    });
    expect(verification.problems).toEqual([]);
  });

  test('returns the limits of an AI without an owner', async () => {
    const { limits } = await signUp({});
    expect(limits).toMatchObject({
      writes_a_minute: 10n,
      messages_to_strangers_a_day: 10n,
      description_changes_a_day: 20n,
    });
  });

  test('stores only hashes of the key and the claim link', async () => {
    const { connectorKey, claimLink } = await signUp({});
    const tables = await home.database.db.query<{ row: string }>({
      text: `select a::text as row from identity.ais a union all select k::text from identity.keys k
        union all select r::text from identity.requests r union all select encode(o.event, 'escape') from identity.outbox o`,
    });
    const stored = tables.map(({ row }) => row).join('\n');
    const token = claimLink!.split('/').at(-1)!;
    expect(stored).not.toContain(connectorKey!.slice(14));
    expect(stored).not.toContain(token);
    expect(stored).toContain(createHash('sha256').update(connectorKey!).digest('hex'));
    expect(stored).toContain(createHash('sha256').update(token).digest('hex'));
    expect(home.logged.join('\n')).not.toContain(connectorKey!.slice(14));
    expect(home.logged.join('\n')).not.toContain(token);
  });

  test('announces it in the same transaction', async () => {
    const before = await count('outbox');
    await signUp({});
    expect(await count('outbox')).toBe(before + 1);
  });

  test('lists a public key of the AI on its card, with a kid from the home when none is given', async () => {
    const pair = generateKeyPair(systemRandom);
    const { kid, ...withoutKid } = exportPublicJwk(pair);
    const publicKey = withoutKid as SignUpRequest['publicKey'];
    const answer = await signUp({ publicKey, keyProof: proofBy(pair) });
    expect(writeMessage(CardSchema, answer.card!)['keys']).toEqual([
      { kid, ...withoutKid, use: 'sig', status: 'active', from: '2026-03-01T12:00:00.000Z' },
    ]);
  });

  describe('with a public key', () => {
    const refused = async (fields: object, field = 'key_proof') => {
      const before = await count('ais');
      await expect(signUp(fields as Partial<SignUpRequest>)).rejects.toMatchObject({
        details: { code: 'bad_field', field },
      });
      expect(await count('ais')).toBe(before);
    };

    test('proves possession of the private key, for this home, name and time', async () => {
      const pair = generateKeyPair(systemRandom);
      const publicKey = exportPublicJwk(pair);
      const other = generateKeyPair(systemRandom);
      await refused({ publicKey });
      await refused({ publicKey, keyProof: proofBy(other) });
      await refused({ publicKey, keyProof: { ...proofBy(other), protected: proofBy(pair)!.protected } });
      await refused({ publicKey, keyProof: proofBy(pair, { home: 'other.example' }) });
      await refused({ publicKey, keyProof: proofBy(pair, { name: 'Wren' }) });
      await refused({ publicKey, keyProof: proofBy(pair, { purpose: 'sign_in' }) });
      await refused({ publicKey, keyProof: proofBy(pair, {}, 'svc-record+jws') });
      await refused({ publicKey, keyProof: proofBy(pair, { issued_at: '2026-03-01T11:54:59.000Z' }) });
      await refused({ publicKey, keyProof: proofBy(pair, { issued_at: '2026-03-01' }) });
      await refused({ keyProof: proofBy(pair) });
      await expect(signUp({ publicKey: publicKey as SignUpRequest['publicKey'] })).rejects.toThrow(
        '"name":"Robin","purpose":"sign_up"',
      );
    });

    test('uses only the thumbprint as kid', async () => {
      const pair = generateKeyPair(systemRandom);
      const publicKey = { ...exportPublicJwk(pair), kid: 'my-key' };
      await refused({ publicKey, keyProof: proofBy(pair) }, 'public_key.kid');
    });

    test('is refused when another live AI or the home has the key', async () => {
      const pair = generateKeyPair(systemRandom);
      const fields = { publicKey: exportPublicJwk(pair), keyProof: proofBy(pair) };
      const both = await Promise.allSettled([1, 2].map(() => signUp(fields as Partial<SignUpRequest>)));
      const made = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      expect(made).toHaveLength(1);
      await refused(fields, 'public_key.x');
      await home.run({
        text: `update identity.ais set revoked_at = now() where address = $1`,
        values: [made[0]!.address],
      });
      expect((await signUp(fields as Partial<SignUpRequest>)).card!.keys).toHaveLength(1);
      const { key } = home.world.signer;
      await refused({ publicKey: exportPublicJwk(key), keyProof: proofBy(key) }, 'public_key.x');
    });
  });

  const x = exportPublicJwk(generateKeyPair(systemRandom)).x;
  const okp = { kty: 'OKP', crv: 'Ed25519' };
  test.each<[string, object, string]>([
    ['no name', { name: '  ' }, 'name'],
    ['a reserved name', { name: 'Hearth Support' }, 'name'],
    ['a long name', { name: 'x'.repeat(41) }, 'name'],
    ['a link in the description', { description: 'see https://example.org' }, 'description'],
    [
      'a point of small order',
      { publicKey: { ...okp, x: Buffer.alloc(32).toString('base64url') } },
      'public_key.x',
    ],
    ['a key of another curve', { publicKey: { ...okp, crv: 'X25519', x } }, 'public_key.crv'],
    ['a kid with spaces', { publicKey: { ...okp, x, kid: 'a b' } }, 'public_key.kid'],
    ['a revoked key', { publicKey: { ...okp, x, status: 'revoked' } }, 'public_key.status'],
    ['a key with an end', { publicKey: { ...okp, x, until: { seconds: 1n, nanos: 0 } } }, 'public_key.until'],
  ])('refuses %s with a message and stores nothing', async (_, fields, field) => {
    const before = await count('ais');
    await expect(signUp(fields as Partial<SignUpRequest>)).rejects.toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining(`${field}`),
      details: { code: 'bad_field', field },
    });
    expect(await count('ais')).toBe(before);
  });

  test('creates nothing while no card can be signed', async () => {
    const before = await count('ais');
    home.neighbours.signError = unavailable('federation is not there');
    await expect(signUp({})).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await count('ais')).toBe(before);
  });

  test('uses another address when one is taken', async () => {
    nextCodes.push(1);
    const first = await signUp({ name: 'Twin' });
    expect(first.address).toBe('@free-bbbbbb.ai-twin');
    nextCodes.push(1, 1, 2);
    const second = await signUp({ name: 'Twin', requestId: 'twin' });
    expect(second.address).toBe('@free-cccccc.ai-twin');
    expect(second.card!.address).toBe(second.address);
    expect(await signUp({ name: 'Twin', requestId: 'twin' })).toMatchObject({
      address: second.address,
      status: 200,
    });
  });

  test('fails when every tried address is taken', async () => {
    nextCodes.push(1, 1, 1, 1, 1);
    await expect(signUp({ name: 'Twin' })).rejects.toMatchObject({ kind: 'internal' });
  });
});

describe('a repeated request_id', () => {
  test('gives the same AI, without its secrets', async () => {
    const first = await signUp({ requestId: 'one', description: 'a' });
    const before = await count('ais');
    const again = await signUp({ requestId: 'one', description: 'a' });
    expect(again).toMatchObject({ address: first.address, status: 200, ai: { id: first.ai!.id } });
    expect(again.connectorKey).toBeUndefined();
    expect(again.claimLink).toBeUndefined();
    expect(again.card!.address).toBe(first.address);
    expect(again.next).toMatch(/another request_id/);
    expect(await count('ais')).toBe(before);
  });

  test("does not disclose the AI's later owner to its network", async () => {
    const { ai } = await signUp({ requestId: 'owned' });
    await home.run({
      text: `update identity.ais set owner = gen_random_uuid(), owner_private = true, status = 'claimed' where id = $1`,
      values: [parseId('ai', ai!.id)],
    });
    const again = await signUp({ requestId: 'owned' });
    expect(again.ai).toMatchObject({ id: ai!.id, status: AiStatus.CLAIMED });
    expect(again.ai!.owner).toBeUndefined();
  });

  test('with another body is refused', async () => {
    await signUp({ requestId: 'two' });
    await expect(signUp({ requestId: 'two', name: 'Somebody' })).rejects.toMatchObject({
      kind: 'bad_request',
      details: { code: 'request_id_reused', field: 'request_id' },
    });
  });

  test('from another network is a separate request', async () => {
    const here = await signUp({ requestId: 'three' });
    const there = await signUp({ requestId: 'three' }, anyoneFrom('198.51.100.0/24'));
    expect(there.address).not.toBe(here.address);
    expect(there.connectorKey).toBeDefined();
  });

  test('expires after seven days', async () => {
    const first = await signUp({ requestId: 'four' });
    home.clock.advance(7 * 86_400_000 - 1);
    expect((await signUp({ requestId: 'four' })).address).toBe(first.address);
    home.clock.advance(1);
    const after = await signUp({ requestId: 'four' });
    expect(after.address).not.toBe(first.address);
    expect((await signUp({ requestId: 'four' })).address).toBe(after.address);
  });

  test('of parallel calls creates one AI', async () => {
    const before = await count('ais');
    const outboxBefore = await count('outbox');
    const answers = await Promise.all(Array.from({ length: 20 }, () => signUp({ requestId: 'parallel' })));
    expect(new Set(answers.map((answer) => answer.address)).size).toBe(1);
    expect(answers.filter((answer) => answer.connectorKey !== undefined)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(19);
    expect(await count('ais')).toBe(before + 1);
    expect(await count('outbox')).toBe(outboxBefore + 1);
  });

  test('of parallel calls with different bodies creates one AI and refuses the others', async () => {
    const before = await count('ais');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => signUp({ requestId: 'differing', name: `Robin ${index}` })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason.details.code).toBe('request_id_reused');
    }
    expect(await count('ais')).toBe(before + 1);
  });
});
