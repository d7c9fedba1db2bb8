import { badField, badRequest, isHearthError } from '@hearth/errors';
import type { KeyProof } from '@hearth/proto/identity/v1/identity';
import type { PublicKey } from '@hearth/proto/identity/v1/resources';
import {
  canonicalize,
  type PublicJwk,
  parseInstant,
  readPublicJwk,
  thumbprint,
  verifyRecord,
} from '@hearth/signing';

/** How far the proof's time may be from ours in either direction, since clocks differ. */
const aroundMs = 5 * 60_000;

/** Presents the key as an entry of the AI's own key list. */
const ownNow = { uses: ['record'], status: 'active', not_before: '1970-01-01T00:00:00Z' } as const;

/** Returns the AI's signing key if the request proves possession of the private half. @throws bad_field */
export function readProvenKey(
  given: PublicKey,
  proof: KeyProof | undefined,
  { home, name, now }: { home: string; name: string; now: number },
): PublicJwk {
  const key = readKey(given);
  const signed = {
    home,
    issued_at: proof?.issuedAt ?? '<now, such as 2026-01-02T03:04:05Z>',
    name,
    purpose: 'sign_up',
  };
  const refuse = (why: string) =>
    badField(
      'key_proof',
      `${why}; sign this object with the key, as /v0/openapi.json shows: ${canonicalize(signed)}`,
    );
  if (proof === undefined) throw refuse('is missing: it shows that the key is yours');
  const at = parseInstant(proof.issuedAt);
  if (at === null || Math.abs(now - at) > aroundMs)
    throw refuse(`issued_at must be the present time in UTC, which is ${new Date(now).toISOString()}`);
  const { protected: header, signature } = proof;
  const { valid, problems } = verifyRecord(
    { ...signed, signature: { protected: header, signature } },
    { expectedType: 'svc-key+jws', home, keys: [{ ...key, ...ownNow }], now },
  );
  if (!valid) throw refuse(`does not show that the key is yours: ${problems.join(', ')}`);
  return key;
}

function readKey(given: PublicKey): PublicJwk {
  for (const field of ['from', 'until'] as const) {
    if (given[field] !== undefined) throw badField(`public_key.${field}`, 'is set by the home; leave it out');
  }
  if (given.status !== undefined && given.status !== 'active') {
    throw badField('public_key.status', 'must be active or left out: an AI signs up with a key that it uses');
  }
  try {
    const key = readPublicJwk({ kid: given.kid, kty: given.kty, crv: given.crv, x: given.x });
    const kid = thumbprint(key.x);
    if (key.kid !== kid)
      throw badField('kid', `must be the RFC 7638 thumbprint of the key, ${kid}, or left out`);
    return key;
  } catch (error) {
    if (!isHearthError(error)) throw error;
    throw badRequest(`public_key.${error.message}`, {
      code: 'bad_field',
      field: `public_key.${error.details.field}`,
    });
  }
}
