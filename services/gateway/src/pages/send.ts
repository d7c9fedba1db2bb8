import { pageHeaders } from '@hearth/web';
import { type Exchange, endUnread, sendJson, sendText } from '../http/module.ts';
import type { Visit } from '../sessions/module.ts';
import type { PageAnswer, ScriptAnswer } from './page.ts';

export function send({ response }: Exchange, visit: Visit | undefined, answer: PageAnswer): void {
  if (response.headersSent || response.destroyed) return;
  const headers = [...(visit?.headers ?? []), ...('headers' in answer ? (answer.headers ?? []) : [])];
  if ('goTo' in answer) {
    // 303: the next page is requested with GET, whatever the method was.
    response.writeHead(303, ['Location', answer.goTo, 'Cache-Control', 'no-store', ...headers]);
    response.end();
    return;
  }
  if ('file' in answer) {
    const { file, mediaType, name } = answer;
    const saved = ['Content-Disposition', `attachment; filename="${name}"`];
    sendText(response, 200, mediaType, file, [...saved, ...headers]);
    return;
  }
  const { html, status = 200, redirectUri } = answer;
  const length = ['Content-Length', String(Buffer.byteLength(html))];
  if (status === 413) response.shouldKeepAlive = false;
  response.writeHead(status, [...pageHeaders(redirectUri), ...length, ...headers]);
  if (status === 413) endUnread(response, html, 'utf8');
  else response.end(html);
}

export function sendScript(
  exchange: Exchange,
  visit: Visit | undefined,
  status: number,
  { json, headers = [] }: ScriptAnswer,
): void {
  sendJson(exchange.response, status, JSON.stringify(json), [...(visit?.headers ?? []), ...headers]);
}
