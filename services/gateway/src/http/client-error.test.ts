import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { answerClientError } from './client-error.ts';

test('a connection closed by the home ends, although its client silently keeps it open', async () => {
  // As Node's HTTP server sets it.
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: (server.address() as AddressInfo).port, allowHalfOpen: true });
  const [socket] = (await once(server, 'connection')) as [Socket];
  const began = performance.now();
  const timedOut = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  answerClientError(timedOut, socket, undefined);
  let received = '';
  client.on('data', (chunk) => {
    received += chunk.toString();
  });
  await once(client, 'end');
  expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(client.writable).toBe(true);
  await once(socket, 'close');
  expect(performance.now() - began).toBeGreaterThan(1_500);
  client.destroy();
  server.close();
});
