import { badRequest, forbidden, HearthError } from '@hearth/errors';
import { CallerKind } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';

/** uuid of the calling AI. */
export function callingAi({ kind, id }: Caller): string {
  if (kind === CallerKind.APP) {
    throw badRequest('say for which AI: send the header Svc-Acting-For with its id', {
      code: 'bad_field',
      field: 'Svc-Acting-For',
    });
  }
  if (kind !== CallerKind.AI) throw forbidden('only an AI can do this, with its own key');
  return id;
}

/** For a call that began with a valid credential, and whose AI was switched off meanwhile. */
export function switchedOff(): HearthError {
  return new HearthError('unauthenticated', 'the AI behind this key was switched off', {
    code: 'key_revoked',
  });
}
