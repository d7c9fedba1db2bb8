import { createSocket, type Socket } from 'node:dgram';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { publicResolver, type Resolver, systemResolver } from './resolver.ts';

const typeA = 1;
const typeAaaa = 28;
const nameError = 3;

/** Answers by host. A missing record type gives an empty answer; a missing host does not exist. */
const zone: Record<string, { [typeA]?: number[]; [typeAaaa]?: number[] }> = {
  'both.example.com': { [typeA]: [8, 8, 8, 8], [typeAaaa]: [0x20, 1, 0x48, 0x60, ...Array(11).fill(0), 1] },
  'four.example.com': { [typeA]: [127, 0, 0, 1] },
  'none.example.com': {},
};

let server: Socket;
let resolver: Resolver;
beforeEach(async () => {
  server = createSocket('udp4');
  server.on('message', (query, from) => server.send(answer(query), from.port));
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  resolver = publicResolver([`127.0.0.1:${server.address().port}`]);
});
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

/** A DNS response (RFC 1035) with the query's question and at most one record. */
function answer(query: Buffer): Buffer {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query[offset]!; length > 0; length = query[offset]!) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length).toLowerCase());
    offset += length + 1;
  }
  const type = query.readUInt16BE(offset + 1) as typeof typeA | typeof typeAaaa;
  const host = zone[labels.join('.')];
  const data = host?.[type];
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | (host === undefined ? nameError : 0), 2);
  header.writeUInt16BE(data === undefined ? 0 : 1, 6);
  header.fill(0, 8);
  const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data?.length ?? 0, ...(data ?? [])]);
  return Buffer.concat([header, query.subarray(12, offset + 5), ...(data === undefined ? [] : [record])]);
}

test('IPv4 and IPv6 addresses are found, or whichever exists', async () => {
  expect(await resolver.resolve('both.example.com')).toEqual(['8.8.8.8', '2001:4860::1']);
  expect(await resolver.resolve('four.example.com')).toEqual(['127.0.0.1']);
});

test('a name without addresses and an unknown name are distinguished', async () => {
  await expect(resolver.resolve('none.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolver.resolve('gone.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('the system resolves its own names', async () => {
  expect(await systemResolver.resolve('localhost')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^127|^::1/)]),
  );
});
