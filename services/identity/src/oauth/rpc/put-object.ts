import { nowDate } from '@hearth/clock';
import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { upsertOAuthObject } from '../db/oauth-objects.ts';
import { keyOf } from '../domain/object-key.ts';

export const putObject =
  ({ clock, database }: Context): UnaryHandler<typeof OAuthService.method.putObject> =>
  async ({ model, idHash, grantId, payload, expiresAt }) => {
    const object = {
      ...keyOf({ model, idHash }),
      grantId: grantId === '' ? null : grantId,
      payload,
      expiresAt: expiresAt === 0n ? null : new Date(Number(expiresAt)),
    };
    await database.statement((tx) => upsertOAuthObject(tx, object, nowDate(clock)));
    return {};
  };
