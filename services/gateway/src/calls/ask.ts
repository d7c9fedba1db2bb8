import { create, type Message } from '@bufbuild/protobuf';
import { ResponseMetadataSchema } from '@hearth/proto/batch/v1/batch';
import type { Caller } from '@hearth/rpc';
import type { Reply } from '../hold/module.ts';
import type { Callable } from './callable.ts';

/** An operation's answer. Its text and tag are computed on first use, and kept while the answer is cached. */
export interface Answer {
  message: Message;
  text?: string;
  etag?: string;
}

const noMetadata = create(ResponseMetadataSchema);

/** Asks the service that owns the operation. */
export async function ask(callable: Callable, request: Message, caller: Caller): Promise<Reply<Answer>> {
  let metadata = noMetadata;
  const message = await callable.call(request, {
    caller,
    ...(callable.timeoutMs !== undefined && { timeoutMs: callable.timeoutMs }),
    onMetadata: (given) => {
      metadata = given;
    },
  });
  return { answer: { message }, metadata };
}
