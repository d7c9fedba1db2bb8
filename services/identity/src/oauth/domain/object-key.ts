import { internal } from '@hearth/errors';
import type { OAuthObjectKey } from '../db/oauth-objects.ts';

export function keyOf({ model, idHash }: { model: string; idHash: Uint8Array }): OAuthObjectKey {
  if (!/^[A-Za-z]{1,40}$/.test(model) || idHash.length !== 32)
    throw internal('this names no object of OAuth');
  return { model, idHash: Buffer.from(idHash) };
}
