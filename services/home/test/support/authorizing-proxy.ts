import { request as httpRequest } from 'node:http';
import { type HttpServer, startHttpServer } from './http-server.ts';

/** Forwards everything to a home with a credential, for clients that know none. */
export function startAuthorizingProxy(homeUrl: string, key: string): Promise<HttpServer> {
  const { hostname, port } = new URL(homeUrl);
  return startHttpServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${key}` };
    const { method, url: path } = request;
    const onward = httpRequest({ hostname, port, method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode!, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
}
