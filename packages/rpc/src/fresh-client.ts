import type { Client } from '@grpc/grpc-js';
import type { Clock } from '@hearth/clock';

/** A peer's client that is replaced from time to time, so that the name is resolved again and connections are new. */
export interface FreshClient {
  /** The client for a call that starts now; `end` is called once, after the call. */
  take(): { client: Client; end: () => void };
  /** Ends each client once its calls are done. */
  close(): void;
}

interface Line {
  client: Client;
  openedAt: number;
  calls: number;
}

/** A client that is not connected by then is retried later. */
const connectMs = 5_000;
/**
 * No client is used longer than this multiple of its age, even if the next one does not connect: its certificate may be
 * invalid.
 */
const mostTimes = 10;

/**
 * Replaces clients by age, because a server that closes old connections cuts the calls on them: Node's HTTP/2 sends no
 * ping on a closing connection, and grpc-js takes that for a dead peer.
 *
 * @param freshMs the age at which a client in use is replaced
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
