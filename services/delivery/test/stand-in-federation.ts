import { createPublicKey, generateKeyPairSync, type JsonWebKey, sign, verify } from 'node:crypto';
import { badField, unavailable } from '@hearth/errors';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import type { ServiceDefinition } from '@hearth/runtime';
import { only } from './stand-ins.ts';

export interface StandInFederation {
  service: ServiceDefinition;
  /** Its public key, as the home's JWK set has it. */
  jwk: JsonWebKey;
  /** Whether it signs now. */
  signs: boolean;
  /** By the public key alone. */
  verifies(text: string, signature: string): boolean;
}

const allowed = /^(?:(?:evt|apr)_[0-9a-f]{32}|msg_(?:verification|gap|terminated)_[0-9a-f]{32})$/;

/** Signs webhooks with a key of its own, and refuses the ids that federation refuses. */
export function standInFederation(): StandInFederation {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' });
  const federation: StandInFederation = {
    jwk,
    signs: true,
    verifies: (text, signature) =>
      verify(
        null,
        Buffer.from(text),
        createPublicKey({ key: jwk, format: 'jwk' }),
        Buffer.from(signature, 'base64'),
      ),
    service: {
      name: 'federation',
      async start(host) {
        const handlers = only<typeof FederationService>({
          async signWebhook({ id, timestamp, body }) {
            if (!federation.signs) throw unavailable('no key just now');
            if (!allowed.test(id)) throw badField('id', 'is none of this home');
            const bytes = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
            return { signature: `v1a,${sign(null, bytes, privateKey).toString('base64')}` };
          },
        });
        host.serve(FederationService, handlers);
      },
    },
  };
  return federation;
}
