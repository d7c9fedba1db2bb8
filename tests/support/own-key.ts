import { createHash, generateKeyPairSync, sign } from 'node:crypto';

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A new public key for a sign-up under that name, with its proof of possession, as any program would create it. */
export function ownKey(home: string, name: string, at = new Date()) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
  const issued_at = at.toISOString();
  const header = base64url({ alg: 'EdDSA', kid, typ: 'svc-key+jws' });
  const payload = base64url({ home, issued_at, name, purpose: 'sign_up' });
  const signature = sign(null, Buffer.from(`${header}.${payload}`), privateKey).toString('base64url');
  return {
    kid,
    public_key: { kty: 'OKP', crv: 'Ed25519', x },
    key_proof: { issued_at, protected: header, signature },
  };
}
