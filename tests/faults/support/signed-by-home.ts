import { createPublicKey, verify } from 'node:crypto';
import type { ListedKey } from '@hearth/signing';
import type { ApiClient } from '@hearth/testkit/home';
import type { Arrived } from './callback-receiver.ts';

/** The keys in the home's document. */
export async function findHomeKeys(client: Pick<ApiClient, 'get'>): Promise<ListedKey[]> {
  return (await client.get('/.well-known/service.json')).body.keys;
}

/** Verifies Standard Webhooks v1a with a key of the home's document. */
export function isSignedByHome(
  keys: readonly ListedKey[],
  { id, timestamp, signature, body }: Arrived,
): boolean {
  const [version, bytes, ...more] = signature.split(',');
  if (version !== 'v1a' || bytes === undefined || more.length > 0) return false;
  return keys.some(({ kty, crv, x }) =>
    verify(
      null,
      Buffer.from(`${id}.${timestamp}.${body}`),
      createPublicKey({ key: { kty, crv, x }, format: 'jwk' }),
      Buffer.from(bytes, 'base64'),
    ),
  );
}
