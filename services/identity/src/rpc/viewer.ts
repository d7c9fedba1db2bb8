import { forbidden, HearthError, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { CallerKind } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';

/** The uuid of the AI that calls. */
export function callingAi({ kind, id }: Caller): string {
  if (kind !== CallerKind.AI) throw forbidden('only an AI can do this, with its own key');
  return id;
}

/** The uuid that a caller means by an AI's id or `me`. @throws not_found for what is no such id */
export function namedAi(caller: Caller, id: string): string {
  if (id === 'me') return callingAi(caller);
  const uuid = parseId('ai', id);
  if (uuid === null) throw notFound();
  return uuid;
}

/** For a call whose credential was good when it set out, and whose AI was switched off meanwhile. */
export function switchedOff(): HearthError {
  return new HearthError('unauthenticated', 'the AI behind this key was switched off', {
    code: 'key_revoked',
  });
}
