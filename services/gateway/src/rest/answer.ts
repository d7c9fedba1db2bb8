import type { ServerResponse } from 'node:http';
import type { Message } from '@bufbuild/protobuf';
import { writeJson } from '@hearth/proto-json';
import type { Caller, Marks } from '@hearth/rpc';
import { etagOf, holds as holdsTag } from '../http/etag.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty, sendJson } from '../http/send.ts';
import type { Asked } from '../hold/index.ts';
import type { Route } from './route.ts';

/** An operation's answer; its text and tag are made when first needed and kept while the answer is remembered. */
export interface Answer {
  message: Message;
  text?: string;
  etag?: string;
}

const noMarks: Marks = {
  $typeName: 'hearth.batch.v1.Marks',
  waitTopics: [],
  validTopics: [],
  validMs: 0,
  httpStatus: 0,
};

/** Asks the service that owns the operation. */
export async function ask(route: Route, request: Message, caller: Caller): Promise<Asked<Answer>> {
  let marks = noMarks;
  const message = await route.call(request, {
    caller,
    onMarks: (given) => {
      marks = given;
    },
  });
  return { answer: { message }, marks };
}

/** Sends an answer: 304 and no body when the client has it already. */
export function sendAnswer(exchange: Exchange, route: Route, { answer, marks }: Asked<Answer>, tagGiven?: string): void {
  const { response, headers } = exchange;
  const status = marks.httpStatus || route.successStatus;
  const text = (answer.text ??= writeJson(route.operation.desc.output, answer.message));
  // What is held for is new by its nature, and what changes something has no tag.
  if (route.method !== 'GET' || route.canWait) return sendJson(response, status, text, headers);
  const etag = (answer.etag ??= etagOf(text));
  const caching = ['ETag', etag, 'Cache-Control', 'private, no-cache', ...headers];
  const known = status === 304 || holdsTag(etag, exchange.request.headers['if-none-match'], tagGiven);
  return known ? sendEmpty(response, 304, caching) : sendJson(response, status, text, caching);
}

/** A signal that is aborted when the client goes away before it was answered. */
export function clientGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
