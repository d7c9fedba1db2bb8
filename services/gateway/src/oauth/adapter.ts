import { hash } from 'node:crypto';
import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { Client } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import { errors, type OAuthAdapter, type OAuthPayload, Provider } from 'oidc-provider';
import { answered } from './answered.ts';
import type { ClientDocuments } from './client-documents.ts';
import type { Resources } from './resources.ts';
import { successorOf } from './successors.ts';

export type OAuthObjects = Pick<
  Client<typeof OAuthService>,
  'putObject' | 'findObject' | 'consumeObject' | 'destroyObject' | 'revokeGrant'
>;

export interface Deps {
  oauth: OAuthObjects;
  documents: ClientDocuments;
  sealer: Pick<Sealer, 'seal' | 'open' | 'derive'>;
  resources: Pick<Resources, 'among'>;
}

/** An escaped NUL or lone surrogate in JSON: no database takes them as text. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

/**
 * The storage of the authorization server: identity stores its objects, so that every gateway finds them.
 * Their names, which may be tokens, are stored only as hashes; client secrets are encrypted.
 */
export function createAdapters({
  oauth,
  documents,
  sealer,
  resources,
}: Deps): (model: string) => OAuthAdapter {
  return (model) => {
    const keyOf = (id: string) => ({ model, idHash: hash('sha256', id, 'buffer') });
    async function find(id: string): Promise<OAuthPayload | undefined> {
      if (model === 'Client' && documents.isAddress(id)) return await documents.find(id);
      const { payload, consumedAt } = await answered(oauth.findObject(keyOf(id)));
      if (payload === undefined) return undefined;
      const found = openSecret(sealer, id, JSON.parse(payload));
      // For a refresh token, identity decides at consumption whether it was used too often.
      const mayBeConsumed = consumedAt === 0n || model === 'RefreshToken';
      const consumed = mayBeConsumed ? {} : { consumed: Math.floor(Number(consumedAt) / 1_000) };
      return model === 'Client' ? found : { ...found, jti: id, ...consumed };
    }
    return {
      find,
      async upsert(id, payload, expiresIn) {
        const { jti: _jti, ...stored } = sealSecret(sealer, id, payload);
        const text = JSON.stringify(stored);
        if (unstorable.test(text))
          throw new errors.InvalidRequest('a parameter holds a character that is no text');
        await answered(
          oauth.putObject({
            ...keyOf(id),
            // A grant is deleted along with everything issued under it.
            grantId: model === 'Grant' ? id : (payload.grantId ?? ''),
            payload: text,
            expiresAt: expiresIn === undefined ? 0n : BigInt((payload.exp ?? 0) * 1_000),
          }),
        );
      },
      // Sessions of the authorization server end with their request; see provider.ts.
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
      async consume(id) {
        const params = Provider.ctx?.oidc?.params;
        if (params?.resource) settleResource(params, (await find(id)) ?? {}, resources);
        const successorHash =
          model === 'RefreshToken' ? keyOf(successorOf(sealer, id)).idHash : Buffer.alloc(0);
        const { consumed } = await answered(oauth.consumeObject({ ...keyOf(id), successorHash }));
        if (!consumed) throw new errors.InvalidGrant(`${model} was used before`);
      },
      async destroy(id) {
        await answered(oauth.destroyObject(keyOf(id)));
      },
      async revokeByGrantId(grantId) {
        // Called once per kind of token; one call is enough, because revoking the grant revokes all its
        // tokens.
        if (model === 'AccessToken') await answered(oauth.revokeGrant({ grantId }));
      },
    };
  };
}

/**
 * The library checks `resource` after consuming the code or token. This refuses a resource without a grant
 * earlier, so that the client can try again, and replaces another spelling of a granted one.
 */
function settleResource(
  params: Record<string, unknown>,
  { resource = [] }: OAuthPayload,
  resources: Deps['resources'],
): void {
  const granted = resources.among([resource].flat() as string[], params['resource']);
  if (granted === undefined) throw new errors.InvalidTarget();
  params['resource'] = granted;
}

const contextOf = (clientId: string) => `oauth.client_secret:${clientId}`;

function sealSecret(sealer: Pick<Sealer, 'seal'>, id: string, payload: OAuthPayload): OAuthPayload {
  const { client_secret: secret, ...rest } = payload;
  if (typeof secret !== 'string') return payload;
  return { ...rest, sealed_secret: sealer.seal(Buffer.from(secret), contextOf(id)).toString('base64') };
}

function openSecret(sealer: Pick<Sealer, 'open'>, id: string, payload: OAuthPayload): OAuthPayload {
  const { sealed_secret: sealed, ...rest } = payload;
  if (typeof sealed !== 'string') return payload;
  return { ...rest, client_secret: sealer.open(Buffer.from(sealed, 'base64'), contextOf(id)).toString() };
}
