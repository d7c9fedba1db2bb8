import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';

/**
 * Classes whose prototypes are the app's own. Express gives each request and response the app's prototype; on an
 * object that has it already this changes nothing, while a real change makes every later access slow.
 *
 * @param ended told of each response whose whole answer was handed over for sending
 */
export function classesOf(app: Express, ended: (response: ServerResponse) => void = () => {}) {
  function Request(socket: Socket): IncomingMessage {
    return Reflect.construct(IncomingMessage, [socket], Request);
  }
  Request.prototype = app.request;
  function Response(request: IncomingMessage, options: object): ServerResponse {
    return Reflect.construct(ServerResponse, [request, options], Response);
  }
  Response.prototype = app.response;
  app.response.end = function end(this: ServerResponse, ...given: unknown[]) {
    Reflect.apply(ServerResponse.prototype.end, this, given);
    ended(this);
    return this;
  } as typeof app.response.end;
  return {
    IncomingMessage: Request as unknown as typeof IncomingMessage,
    ServerResponse: Response as unknown as typeof ServerResponse<IncomingMessage>,
  };
}
