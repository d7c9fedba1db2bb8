import { hash } from 'node:crypto';
import { type DescMethod, getOption, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { badRequest, type HearthError } from '@hearth/errors';
import { operation } from '@hearth/proto/options';
import { type Caller, callerKinds } from '@hearth/rpc';
import type { IdempotencyKey } from './table.ts';

/** The owner of request_ids: the caller, or all callers without a credential from one network. */
export function scopeOf(caller: Caller): string {
  if (caller.kind === callerKinds.ANONYMOUS) return `network:${caller.network}`;
  const who = `${callerKinds[caller.kind].toLowerCase()}:${caller.id}`;
  // An app's request_ids are its own, whomever it acts for beside other apps and the person's own sign-in.
  return caller.app === '' || caller.app === caller.id ? who : `${who} app:${caller.app}`;
}

/** The key of a request, or null when it carries no request_id. */
export function idempotencyKey<Method extends DescMethod>(
  caller: Caller,
  method: Method,
  request: MessageShape<Method['input']>,
): IdempotencyKey | null {
  const { requestId, ...body } = request as MessageShape<Method['input']> & { requestId?: string };
  if (requestId === undefined) return null;
  const encoded = toBinary(method.input, body as MessageShape<Method['input']>);
  return {
    scope: scopeOf(caller),
    operation: getOption(method, operation).id,
    requestId,
    digest: hash('sha256', encoded, 'buffer'),
  };
}

/** @throws bad_request (request_id_reused) when the id was used for another request */
export function checkSame({ digest, requestId }: IdempotencyKey, kept: { digest: Buffer }): void {
  if (kept.digest.equals(digest)) return;
  throw requestIdUsed(
    `"${requestId}" was used for another request before; the same id repeats a request, a new one needs a new id`,
  );
}

/** For a request_id that cannot be used any more: for another request, or because what it made is gone. */
export function requestIdUsed(words: string): HearthError {
  return badRequest(`request_id: ${words}`, { code: 'request_id_reused', field: 'request_id' });
}
