import { nowDate } from '@hearth/clock';
import { internal } from '@hearth/errors';
import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import { credentialsChanged } from '../../shared/actions/credentials.ts';
import { endGrant } from '../actions/end-grant.ts';
import { findAiOfGrant } from '../db/oauth-grants.ts';
import {
  deleteOAuthObject,
  findGrantOfObject,
  findOAuthObject,
  type OAuthObjectKey,
  updateConsumed,
  upsertOAuthObject,
} from '../db/oauth-objects.ts';

type Methods = typeof OAuthService.method;

export function putObject({ clock, database }: Context): UnaryHandler<Methods['putObject']> {
  return async ({ model, idHash, grantId, payload, expiresAt }) => {
    const object = {
      ...keyOf({ model, idHash }),
      grantId: grantId === '' ? null : grantId,
      payload,
      expiresAt: expiresAt === 0n ? null : new Date(Number(expiresAt)),
    };
    await database.statement((tx) => upsertOAuthObject(tx, object, nowDate(clock)));
    return {};
  };
}

export function findObject({ clock, database }: Context): UnaryHandler<Methods['findObject']> {
  return async (request) => {
    const row = await findOAuthObject(database.db, keyOf(request), nowDate(clock));
    if (row === null) return {};
    return { payload: JSON.stringify(row.payload), consumedAt: BigInt(row.consumedAt?.getTime() ?? 0) };
  };
}

/** What is used twice is in two hands: whoever was second finds the whole grant ended. */
export function consumeObject(context: Context): UnaryHandler<Methods['consumeObject']> {
  const { clock, database } = context;
  return async (request) => {
    const key = keyOf(request);
    const consumed = await database.statement((tx) => updateConsumed(tx, key, nowDate(clock)));
    if (consumed) return { consumed };
    const grant = await findGrantOfObject(database.db, key);
    if (grant !== null) await endGrant(context, grant, 'revoked');
    return { consumed };
  };
}

export function destroyObject({ bus, database }: Context): UnaryHandler<Methods['destroyObject']> {
  return async (request) => {
    const key = keyOf(request);
    const grant = await database.statement((tx) => deleteOAuthObject(tx, key));
    if (key.model === 'AccessToken' && grant !== null) {
      const ai = await findAiOfGrant(database.db, grant);
      if (ai !== null) credentialsChanged(bus, ai);
    }
    return {};
  };
}

function keyOf({ model, idHash }: { model: string; idHash: Uint8Array }): OAuthObjectKey {
  if (!/^[A-Za-z]{1,40}$/.test(model) || idHash.length !== 32)
    throw internal('this names no object of OAuth');
  return { model, idHash: Buffer.from(idHash) };
}
