import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';

/**
 * Request and response classes with the app's prototypes. Express sets these prototypes on every request and
 * response; changing an object's prototype would make every later access slow, and with these classes nothing
 * changes.
 *
 * @param ended called when a response was completely handed over for sending
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
