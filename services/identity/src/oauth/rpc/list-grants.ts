import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { UnaryHandler } from '@hearth/rpc';
import { ownersOf } from '../actions/owners.ts';
import type { Context } from '../context.ts';
import { listOAuthGrants } from '../db/oauth-grants.ts';
import { toGrant } from '../domain/to-grant.ts';

const mostListed = 500;

/** The grants of the caller and their wards. */
export const listGrants =
  (context: Context): UnaryHandler<typeof OAuthService.method.listGrants> =>
  async (_request, { caller }) => {
    const people = await ownersOf(context, caller);
    const rows = await listOAuthGrants(context.database.db, people, mostListed);
    return { grants: rows.map(toGrant) };
  };
