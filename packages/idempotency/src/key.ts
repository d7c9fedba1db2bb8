import { hash } from 'node:crypto';
import { type DescMethod, getOption, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { badRequest, type HearthError } from '@hearth/errors';
import { operation } from '@hearth/proto/options';
import { type Caller, callerKinds } from '@hearth/rpc';
import type { IdempotencyKey } from './table.ts';

/** The owner of request_ids: the caller, or one network's callers without a credential. */
export function scopeOf(caller: Caller): string {
  if (caller.kind === callerKinds.ANONYMOUS) return `network:${caller.network}`;
  const who = `${callerKinds[caller.kind].toLowerCase()}:${caller.id}`;
  // An app has its own request_ids, even if it acts for a person who also uses other apps or signs in.
  return caller.app === '' || caller.app === caller.id ? who : `${who} app:${caller.app}`;
}

/** The idempotency key of a request; null if it has no request_id. */
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

/** @throws bad_request (request_id_reused) if the id was used for another request */
export function checkSame({ digest, requestId }: IdempotencyKey, kept: { digest: Buffer }): void {
  if (kept.digest.equals(digest)) return;
  throw requestIdUsed(
    `"${requestId}" was used for another request before; the same id repeats a request, a new one needs a new id`,
  );
}

/** For a request_id that can't be reused: it belongs to another request, or its result is gone. */
export function requestIdUsed(words: string): HearthError {
  return badRequest(`request_id: ${words}`, { code: 'request_id_reused', field: 'request_id' });
}
