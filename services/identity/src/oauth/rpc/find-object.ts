import { nowDate } from '@hearth/clock';
import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findOAuthObject } from '../db/oauth-objects.ts';
import { keyOf } from '../domain/object-key.ts';

export const findObject =
  ({ clock, database }: Context): UnaryHandler<typeof OAuthService.method.findObject> =>
  async (request) => {
    const row = await findOAuthObject(database.db, keyOf(request), nowDate(clock));
    if (row === null) return {};
    return { payload: JSON.stringify(row.payload), consumedAt: BigInt(row.consumedAt?.getTime() ?? 0) };
  };
