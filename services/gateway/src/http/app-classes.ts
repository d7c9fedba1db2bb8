import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';

/**
 * Classes whose prototypes are the app's own. Express gives each request and response the app's prototype; on an
 * object that has it already this changes nothing, while a real change makes every later access slow.
 */
export function classesOf(app: Express) {
  function Request(socket: Socket): IncomingMessage {
    return Reflect.construct(IncomingMessage, [socket], Request);
  }
  Request.prototype = app.request;
  function Response(request: IncomingMessage, options: object): ServerResponse {
    return Reflect.construct(ServerResponse, [request, options], Response);
  }
  Response.prototype = app.response;
  return {
    IncomingMessage: Request as unknown as typeof IncomingMessage,
    ServerResponse: Response as unknown as typeof ServerResponse<IncomingMessage>,
  };
}
