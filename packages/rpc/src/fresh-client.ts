import type { Client } from '@grpc/grpc-js';
import type { Clock } from '@hearth/clock';

/** The client of a peer, which another one replaces from time to time: it looks the name up again, and connects anew. */
export interface FreshClient {
  /** The client for a call that begins now; `end` is called once, when the call is over. */
  take(): { client: Client; end: () => void };
  /** Ends each client once its calls are over. */
  close(): void;
}

interface Line {
  client: Client;
  openedAt: number;
  calls: number;
}

/** A client that is not connected by then is tried again later. */
const connectMs = 5_000;
/** Longer than so many times its age no client is used, though the next one does not connect: its certificate may be void. */
const mostTimes = 10;

/**
 * The clients take turns by themselves: a server that ends old connections cuts the calls on them, for Node's HTTP/2 sends no ping on a
 * connection that is about to end, and grpc-js takes that for a dead peer.
 *
 * @param freshMs the age at which a client that is in use is replaced
 */
export function createFreshClient(open: () => Client, freshMs: number, clock: Clock): FreshClient {
  const begin = (): Line => ({ client: open(), openedAt: performance.now(), calls: 0 });
  let current = begin();
  let renewAt = current.openedAt + freshMs;
  let closed = false;

  function endUnused(line: Line): void {
    if ((closed || line !== current) && line.calls === 0) line.client.close();
  }

  function renew(): void {
    renewAt = Number.POSITIVE_INFINITY;
    const next = begin();
    next.client.waitForReady(clock.now() + connectMs, (error) => {
      const now = performance.now();
      renewAt = now + freshMs;
      const isOverdue = now - current.openedAt >= mostTimes * freshMs;
      const before = current;
      if (!closed && (error === undefined || isOverdue)) current = next;
      endUnused(current === next ? before : next);
    });
  }

  return {
    take() {
      if (performance.now() >= renewAt) renew();
      const line = current;
      line.calls += 1;
      const end = () => {
        line.calls -= 1;
        endUnused(line);
      };
      return { client: line.client, end };
    },
    close() {
      closed = true;
      renewAt = Number.POSITIVE_INFINITY;
      endUnused(current);
    },
  };
}
