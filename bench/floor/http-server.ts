// A minimal server for a small JSON POST, in a process of its own to separate its CPU from the client's.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    const { to } = JSON.parse(body) as { to: string };
    const answer = JSON.stringify({ id: 'msg_1', to });
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
