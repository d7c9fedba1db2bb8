// A receiver in a process of its own, so that its cost is not counted. Prints its port, accepts everything,
// and ends with its parent.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume().on('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
