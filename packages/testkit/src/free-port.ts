import { createServer } from 'node:net';

// Below the ephemeral ports (32768 and up), and disjoint for each worker, so nothing else takes a port between choosing
// it and listening on it.
const slice = 3_000;
const first = 8_000 + slice * (Number(process.env['JEST_WORKER_ID'] ?? 0) % 8);
let next = Math.floor(Math.random() * slice);

/** Ports in the range that fetch blocks (https://fetch.spec.whatwg.org/#port-blocking). */
const refusedByFetch: ReadonlySet<number> = new Set([10_080]);

/** Returns a loopback port on which nothing listens. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < slice; tries += 1) {
    const port = first + next;
    next = (next + 1) % slice;
    if (!refusedByFetch.has(port) && (await isFree(port))) return port;
  }
  throw new Error('no port is free');
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
