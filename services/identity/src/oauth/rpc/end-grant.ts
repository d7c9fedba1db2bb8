import { notFound } from '@hearth/errors';
import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { UnaryHandler } from '@hearth/rpc';
import { endGrant as end } from '../actions/end-grant.ts';
import { ownersOf } from '../actions/owners.ts';
import type { Context } from '../context.ts';
import { findOAuthGrant } from '../db/oauth-grants.ts';

export const endGrant =
  (context: Context): UnaryHandler<typeof OAuthService.method.endGrant> =>
  async ({ id }, { caller }) => {
    const people = await ownersOf(context, caller);
    const row = await findOAuthGrant(context.database.db, id);
    if (row === null || !people.includes(row.person)) throw notFound();
    await end(context, id, 'ended');
    return {};
  };
