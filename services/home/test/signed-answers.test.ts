import { createPublicKey, verify } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { federation } from '@hearth/federation';
import { startProfile } from '@hearth/gateway/profile';
import { identity } from '@hearth/identity';
import { parseId, systemRandom } from '@hearth/ids';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { KeysService } from '@hearth/proto/federation/v1/keys';
import { ProfileService } from '@hearth/proto/gateway/v1/profile';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { CardSchema } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import { writeJson } from '@hearth/proto-json';
import { exportPublicJwk, generateKeyPair, parseStrictJson, signRecord, verifyRecord } from '@hearth/signing';
import { eventually, startService } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as noble from '@noble/ed25519';
import canonicalize from 'canonicalize';
import * as jose from 'jose';

/**
 * A home's signed answers, verified independently: from the printed JSON and the keys of the home's document, with
 * third-party programs.
 */

interface Jws {
  protected: string;
  signature: string;
}

interface HomeDocument {
  keys: { kid: string; kty: 'OKP'; crv: 'Ed25519'; x: string }[];
  signatures: Jws[];
}

/** The gateway's module that serves cards. */
const gateway = { name: 'gateway' as const, start: startProfile };

const home = await startService([federation, identity, gateway], { clock: new Date().toISOString() });
const identityClient = home.client(IdentityService);
const federationClient = home.client(FederationService);
afterAll(() => home.stop());

const homeDocument = async (): Promise<HomeDocument> =>
  JSON.parse((await federationClient.getHomeDocument({})).json) as HomeDocument;

const stranger = create(CallerSchema, { kind: CallerKind.ANONYMOUS, network: '203.0.113.0/24' });

/** A card with every member that exists today, as the gateway prints it. */
async function printedCard(): Promise<string> {
  const pair = generateKeyPair(systemRandom);
  const name = 'Robin “the Ænglish” 🐦';
  const issuedAt = new Date().toISOString();
  const { home: ownHome } = (await homeDocument()) as HomeDocument & { home: string };
  const proof = { home: ownHome, issued_at: issuedAt, name, purpose: 'sign_up' };
  const { signature } = signRecord(proof, { key: pair, typ: 'svc-key+jws' });
  const { address, ai } = await identityClient.signUp(
    {
      name,
      description: 'I plan trips \\ and "more"\u2028 für Ann',
      publicKey: exportPublicJwk(pair),
      keyProof: { issuedAt, ...signature },
    },
    { caller: stranger },
  );
  const caller = create(CallerSchema, { kind: CallerKind.AI, id: parseId('ai', ai!.id)! });
  const until = { seconds: BigInt(Math.floor(Date.now() / 1_000) + 3_600), nanos: 123_456_789 };
  await identityClient.setAway({ until, note: 'zurück um 5' }, { caller });
  return writeJson(CardSchema, await home.client(ProfileService).getCard({ address }, { caller }));
}

/** The bytes signed by a detached JWS, built without our own code. */
function signedBytes(json: string, member: 'signature' | 'signatures', header: string): Uint8Array {
  const { [member]: _, ...payload } = JSON.parse(json) as Record<string, unknown>;
  return Buffer.from(`${header}.${Buffer.from(canonicalize(payload)!).toString('base64url')}`);
}

const verifiers: [
  string,
  (key: HomeDocument['keys'][number], bytes: Uint8Array, jws: Jws) => Promise<boolean>,
][] = [
  [
    'node:crypto',
    async (key, bytes, jws) =>
      verify(null, bytes, createPublicKey({ key, format: 'jwk' }), Buffer.from(jws.signature, 'base64url')),
  ],
  [
    'noble',
    (key, bytes, jws) =>
      noble.verifyAsync(Buffer.from(jws.signature, 'base64url'), bytes, Buffer.from(key.x, 'base64url')),
  ],
  [
    'jose',
    async (key, bytes, jws) => {
      const payload = Buffer.from(bytes).toString().split('.')[1]!;
      try {
        await jose.flattenedVerify({ ...jws, payload }, await jose.importJWK(key, 'EdDSA'));
        return true;
      } catch (error) {
        if (error instanceof jose.errors.JWSSignatureVerificationFailed) return false;
        throw error;
      }
    },
  ],
];

describe.each(verifiers)('%s', (_, verifies) => {
  test('verifies a card exactly as printed', async () => {
    const json = await printedCard();
    const { keys } = await homeDocument();
    const { signature } = JSON.parse(json) as { signature: Jws };
    const { kid, typ } = JSON.parse(Buffer.from(signature.protected, 'base64url').toString());
    expect(typ).toBe('svc-card+jws');
    const key = keys.find((listed) => listed.kid === kid)!;
    expect(await verifies(key, signedBytes(json, 'signature', signature.protected), signature)).toBe(true);
    const changed = json.replace('"unclaimed"', '"claimed"');
    expect(changed).not.toBe(json);
    expect(await verifies(key, signedBytes(changed, 'signature', signature.protected), signature)).toBe(
      false,
    );
  });

  test('verifies the home document', async () => {
    const { json } = await federationClient.getHomeDocument({});
    const { keys, signatures } = JSON.parse(json) as HomeDocument;
    expect(signatures).toHaveLength(1);
    const [jws] = signatures as [Jws];
    expect(await verifies(keys[0]!, signedBytes(json, 'signatures', jws.protected), jws)).toBe(true);
  });
});

test("the home's own verifier agrees, and parses the printed card as strict JSON", async () => {
  const card = parseStrictJson(await printedCard());
  const { keys } = await homeDocument();
  const options = { home: 'hearth.example', keys, now: Date.now() };
  expect(verifyRecord(card, { expectedType: 'svc-card+jws', ...options })).toMatchObject({
    valid: true,
    problems: [],
  });
  expect(verifyRecord(card, { expectedType: 'svc-record+jws', ...options }).valid).toBe(false);
});

test("a card is signed by the new key at once when the home's key is revoked", async () => {
  const { address } = await identityClient.signUp({ name: 'Early' }, { caller: stranger });
  const kidOf = async () => {
    const { signature } = await home.client(ProfileService).getCard({ address }, { caller: stranger });
    return JSON.parse(Buffer.from(signature!.protected, 'base64url').toString()).kid;
  };
  const stolen = await kidOf();
  expect((await homeDocument()).keys[0]!.kid).toBe(stolen);
  home.clock.advance(1_000);
  const { replacedBy } = await home.client(KeysService).revokeKey({ kid: stolen });
  await eventually(async () => (await kidOf()) === replacedBy!.kid);
  expect((await homeDocument()).keys[0]!.kid).toBe(replacedBy!.kid);
});
