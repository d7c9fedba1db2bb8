import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { badField, unavailable } from '@hearth/errors';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { fake } from '@hearth/testkit';

export type StandInFederation = ReturnType<typeof standInFederation>;

const allowed = /^(?:(?:evt|apr)_[0-9a-f]{32}|msg_(?:verification|gap|terminated)_[0-9a-f]{32})$/;

/** Signs webhooks with a test key, and refuses the ids that federation refuses. */
export function standInFederation() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  async function signWebhook({ id, timestamp, body }: { id: string; timestamp: bigint; body: Uint8Array }) {
    if (!federation.signs) throw unavailable('no key just now');
    if (!allowed.test(id)) throw badField('id', 'is none of this home');
    const bytes = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
    return { signature: `v1a,${sign(null, bytes, privateKey).toString('base64')}` };
  }
  const federation = {
    /** Whether it signs at present. */
    signs: true,
    signWebhook,
    fake: fake(FederationService, { signWebhook }),
    /** Verifies with only the public key. */
    verifies: (text: string, signature: string) =>
      verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64')),
  };
  return federation;
}
