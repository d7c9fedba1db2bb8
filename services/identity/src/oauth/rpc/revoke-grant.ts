import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { UnaryHandler } from '@hearth/rpc';
import { endGrant } from '../actions/end-grant.ts';
import type { Context } from '../context.ts';

/** Ends a grant after a replay, or when the client revokes it. */
export const revokeGrant =
  (context: Context): UnaryHandler<typeof OAuthService.method.revokeGrant> =>
  async ({ grantId }) => {
    await endGrant(context, grantId, 'revoked');
    return {};
  };
