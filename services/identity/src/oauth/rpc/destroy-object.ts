import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findAiOfGrant } from '../db/oauth-grants.ts';
import { deleteOAuthObject } from '../db/oauth-objects.ts';
import { keyOf } from '../domain/object-key.ts';

export const destroyObject =
  ({ commit }: Context): UnaryHandler<typeof OAuthService.method.destroyObject> =>
  async (request) => {
    const key = keyOf(request);
    await commit(async (tx) => {
      const grant = await deleteOAuthObject(tx, key);
      if (key.model !== 'AccessToken' || grant === null) return;
      const ai = await findAiOfGrant(tx, grant);
      if (ai !== null) tx.signal('credentials', ai);
    });
    return {};
  };
