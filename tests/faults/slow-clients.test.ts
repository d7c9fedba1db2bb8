import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StartedHome, startHomeInProcesses } from '@hearth/testkit/home';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endTraffic, startChecker } from './support/checker.ts';
import { rounds } from './support/rounds.ts';

// Clients that start a request and never finish it: each is cut off in time, and no other client notices.
let home: StartedHome;

beforeAll(async () => {
  home = await startHomeInProcesses({ topology: 'one', env: { HEARTH_LIMITS: 'relaxed' } });
});

afterAll(async () => {
  endTraffic();
  await home?.stop();
});

interface Client {
  socket: Socket;
  received(): string;
  /** Milliseconds from its start until the home closed the connection. */
  closed: Promise<number>;
}

function open({ allowHalfOpen = false } = {}): Client {
  const began = performance.now();
  const socket = connect({ port: home.processes[0]!.port, host: '127.0.0.1', allowHalfOpen });
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  socket.on('error', () => {});
  const closed = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(Math.round(performance.now() - began))),
  );
  return { socket, received: () => received, closed };
}

/** Sends that many bytes a second until the connection closes. */
async function trickle({ socket }: Client, text: string): Promise<void> {
  for (const character of text) {
    if (socket.destroyed) return;
    socket.write(character);
    await sleep(1_000);
  }
}

const head = (length: number, key: string) =>
  [
    'POST /v0/messages HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${length}`,
    '',
    '',
  ].join('\r\n');

const many = 2_000;

test(
  'partial requests, slow requests, missing bodies and idle connections are cut off, and other clients are served',
  async () => {
    const checker = await startChecker({ experiment: 'Slow clients', urls: home.urls });
    const [ai] = checker.ais;
    const began = performance.now();

    const halfHead = open();
    halfHead.socket.write('POST /v0/messages HTTP/1.1\r\nhost: localhost\r\n');
    const slowHead = open();
    void trickle(slowHead, `GET /v0/me HTTP/1.1\r\nhost: localhost\r\nx-padding: ${'a'.repeat(100)}`);
    const noBody = open();
    noBody.socket.write(head(65_536, ai!.key));
    const slowBody = open();
    slowBody.socket.write(head(100, ai!.key));
    void trickle(slowBody, '{"to":"@free-000000.ai-wren","text":"'.padEnd(100, 'x'));
    const noBodies = Array.from({ length: 200 }, () => open());
    for (const { socket } of noBodies) socket.write(head(65_536, ai!.key));
    const idle = Array.from({ length: many }, () => open());
    // It never closes its own side, and only notices by writing that the home is gone.
    const halfOpen = open({ allowHalfOpen: true });
    halfOpen.socket.write('POST /v0/messages HTTP/1.1\r\nhost: localhost\r\n');
    halfOpen.socket.once('end', () => {
      const knock = setInterval(() => halfOpen.socket.write('x'), 500);
      halfOpen.socket.once('close', () => clearInterval(knock));
    });
    const everybody = [halfHead, slowHead, noBody, slowBody, halfOpen, ...noBodies, ...idle];

    // Other clients are served at the usual pace while all of these are open.
    const record = await checker.fault({
      what: `${everybody.length} slow and idle clients`,
      inject: () => sleep(2_000),
    });
    expect(record.longestSilenceMs).toBeLessThan(2_000);
    expect(idle.filter(({ socket }) => !socket.connecting && !socket.destroyed)).toHaveLength(many);

    const times = await Promise.race([
      Promise.all(everybody.map(({ closed }) => closed)),
      sleep(45_000, undefined, { ref: false }),
    ]);
    const stillOpen = everybody.filter(({ socket }) => !socket.destroyed).length;
    for (const { socket } of everybody) socket.destroy();
    const verdict = await checker.finish({
      found: {
        closedAfterMs: {
          halfHead: times?.[0],
          slowHead: times?.[1],
          noBody: times?.[2],
          slowBody: times?.[3],
          idle: times && Math.max(...times.slice(-many)),
        },
        stillOpen,
      },
    });
    expect(stillOpen).toBe(0);
    // 20 s for the head and 30 s for the whole request, checked every 5 s.
    expect(times!.slice(0, 2).every((ms) => ms > 15_000 && ms < 28_000)).toBe(true);
    expect(times!.slice(2, 4).every((ms) => ms > 25_000 && ms < 40_000)).toBe(true);
    for (const client of [halfHead, slowHead, noBody, slowBody]) {
      expect(client.received()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(client.received()).toContain('"error":"the request did not arrive whole in time');
    }
    expect(verdict.acknowledged).toBeGreaterThan(1_000);
    expect(checker.traffic.troubles.refusals).toEqual({});
    expect(performance.now() - began).toBeLessThan(60_000);
  },
  90_000 * rounds(1),
);
