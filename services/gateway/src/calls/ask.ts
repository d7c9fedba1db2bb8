import type { ServerResponse } from 'node:http';
import type { Message } from '@bufbuild/protobuf';
import type { Caller, ResponseMetadata } from '@hearth/rpc';
import type { Asked, HeldClient } from '../hold/module.ts';
import type { Callable } from './callable.ts';

/** An operation's answer; its text and tag are made when first needed and kept while the answer is remembered. */
export interface Answer {
  message: Message;
  text?: string;
  etag?: string;
}

const noMarks: ResponseMetadata = {
  $typeName: 'hearth.batch.v1.ResponseMetadata',
  waitTopics: [],
  validTopics: [],
  validMs: 0,
  httpStatus: 0,
  restAfter: '',
  restTopics: [],
};

/** Asks the service that owns the operation. */
export async function ask(callable: Callable, request: Message, caller: Caller): Promise<Asked<Answer>> {
  let marks = noMarks;
  const message = await callable.call(request, {
    caller,
    ...(callable.timeoutMs !== undefined && { timeoutMs: callable.timeoutMs }),
    onMetadata: (given) => {
      marks = given;
    },
  });
  return { answer: { message }, marks };
}

/** The client of a response, as long as it is held. */
export function clientOf(response: ServerResponse): HeldClient {
  return {
    gone: () => response.destroyed,
    onGone(hear) {
      response.on('close', hear);
      return () => response.off('close', hear);
    },
  };
}
