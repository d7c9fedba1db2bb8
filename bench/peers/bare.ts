// Like toy.ts, with only node:http and no storage: the least that these requests can cost in Node.
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Box {
  held: ServerResponse | undefined;
  waiting: { id: string; text: string }[];
}

const boxes = new Map<string, Box>();
const addresses = new Map<string, string>();
let last = 0;

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length });
  response.end(text);
}

function give(box: Box): void {
  if (box.held === undefined || box.waiting.length === 0) return;
  send(box.held, 200, { messages: box.waiting });
  box.held = undefined;
  box.waiting = [];
}

function post(path: string, body: string, response: ServerResponse): void {
  const { to, text } = JSON.parse(body);
  if (path === '/v0/agents') {
    const key = randomUUID();
    const address = `@${key.slice(0, 8)}`;
    addresses.set(key, address);
    boxes.set(address, { held: undefined, waiting: [] });
    send(response, 201, { address, connector_key: key });
    return;
  }
  const id = String(++last);
  const box = boxes.get(to)!;
  box.waiting.push({ id, text });
  send(response, 201, { id, to });
  give(box);
}

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => post(request.url!, body, response));
    return;
  }
  const box = boxes.get(addresses.get(request.headers.authorization!.slice('Bearer '.length))!)!;
  box.held = response;
  setTimeout(() => {
    if (box.held === response) send(response, 200, { messages: [] });
    if (box.held === response) box.held = undefined;
  }, 25_000);
  give(box);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
server.keepAliveTimeout = 60_000;
process.stdin.resume().on('end', () => process.exit());
