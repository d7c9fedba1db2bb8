import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findOAuthGrant } from '../db/oauth-grants.ts';
import { toGrant } from '../domain/to-grant.ts';

export const findGrant =
  ({ database }: Context): UnaryHandler<typeof OAuthService.method.findGrant> =>
  async ({ id }) => {
    const row = await findOAuthGrant(database.db, id);
    return row === null ? {} : { grant: toGrant(row) };
  };
