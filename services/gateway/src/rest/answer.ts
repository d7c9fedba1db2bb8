import { writeJson } from '@hearth/proto-json';
import type { Answer } from '../calls/module.ts';
import type { Reply } from '../hold/module.ts';
import {
  type Exchange,
  etagOf,
  holds as holdsTag,
  sendEmpty,
  sendJson,
  sendLongJson,
  sendText,
} from '../http/module.ts';
import type { Route } from './route.ts';

const vary = 'Authorization, Svc-Acting-For, Accept-Encoding';

/** Sends an answer; 304 without a body if the client already has it. */
export function sendAnswer(
  exchange: Exchange,
  route: Route,
  { answer, metadata }: Reply<Answer>,
  tagGiven?: string,
): void {
  const { request, response, headers } = exchange;
  const status = metadata.httpStatus || route.successStatus;
  // Vary is for a cache that serves several callers of one client.
  const kept = ['Cache-Control', route.cacheControl, 'Vary', vary, ...headers];
  // The handler found the client's tag current, so its answer has no content.
  if (status === 304) return void sendEmpty(response, 304, kept);
  const text = textOf(answer, route);
  // The answer to a change has no tag, and may contain a key.
  if (route.method !== 'GET') return void sendJson(response, status, text, headers);
  // The answer to a wait is always new.
  if (route.canWait) return void sendLongJson(response, status, text, headers);
  const etag = tagOf(answer, text);
  const caching = ['ETag', etag, ...kept];
  const { mediaType } = route.operation.declared;
  if (holdsTag(etag, request.headers['if-none-match'], tagGiven)) sendEmpty(response, 304, caching);
  else if (mediaType !== '') sendText(response, status, mediaType, text, caching);
  else sendLongJson(response, status, text, caching);
}

export function textOf(answer: Answer, { operation }: Route): string {
  answer.text ??= operation.declared.mediaType
    ? (answer.message as unknown as { text: string }).text
    : writeJson(operation.desc.output, answer.message);
  return answer.text;
}

function tagOf(answer: Answer, text: string): string {
  answer.etag ??= etagOf(text);
  return answer.etag;
}
