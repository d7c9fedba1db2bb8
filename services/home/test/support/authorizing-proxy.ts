import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sends everything on to a home with a credential, for clients that know of none. */
export interface AuthorizingProxy {
  url: string;
  stop(): Promise<void>;
}

export async function startAuthorizingProxy(homeUrl: string, key: string): Promise<AuthorizingProxy> {
  const { hostname, port } = new URL(homeUrl);
  const server = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${key}` };
    const { method, url: path } = request;
    const onward = httpRequest({ hostname, port, method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode!, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
