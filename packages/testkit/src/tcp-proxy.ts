import { connect, createServer, type Socket } from 'node:net';

/** The quality of the line between two homes. */
export interface Line {
  /** Holds bytes back until the line is whole again: requests to the home, its responses, or both. */
  cut: 'none' | 'requests' | 'answers' | 'both';
  delayMs: number;
  /** 0 for no limit. */
  bytesPerSecond: number;
  /** The probability that a packet's connection is reset in the middle of it, from 0 to 1. */
  reset: number;
}

export interface TcpProxy {
  /** Changes the line, also for open connections. */
  set(line: Partial<Line>): void;
  /** Resets all open connections. */
  breakAll(): void;
  /** Numbers of accepted and of reset connections. */
  readonly count: { taken: number; reset: number };
  stop(): Promise<void>;
}

const chance = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;

export const whole: Line = { cut: 'none', delayMs: 0, bytesPerSecond: 0, reset: 0 };
const tickMs = 20;

/** Listens on `port` of loopback and forwards to the home at `to`. */
export async function startTcpProxy(port: number, to: number): Promise<TcpProxy> {
  let line = whole;
  const open = new Set<Socket>();
  const count = { taken: 0, reset: 0 };
  const pumps = new Set<() => void>();

  /** Forwards bytes in one direction, each after its delay, while that direction isn't cut. */
  function pump(from: Socket, into: Socket, cuts: readonly Line['cut'][]): void {
    const waiting: { bytes: Buffer; at: number }[] = [];
    let ended = false;
    let allowance = 0;
    const move = () => {
      if (cuts.includes(line.cut)) return;
      allowance = Math.min(
        allowance + (line.bytesPerSecond * tickMs) / 1_000,
        Math.max(line.bytesPerSecond, 1),
      );
      while (waiting.length > 0 && waiting[0]!.at <= performance.now()) {
        const { bytes, at } = waiting[0]!;
        const most = line.bytesPerSecond === 0 ? bytes.length : Math.floor(allowance);
        if (most === 0) return;
        waiting.shift();
        if (bytes.length > most) waiting.unshift({ bytes: bytes.subarray(most), at });
        allowance -= Math.min(most, bytes.length);
        into.write(bytes.subarray(0, most));
      }
      if (ended && waiting.length === 0) into.end();
    };
    pumps.add(move);
    from.on('data', (bytes: Buffer) => {
      if (chance() < line.reset) {
        count.reset += 1;
        into.write(bytes.subarray(0, Math.floor(bytes.length * chance())), () => into.destroy());
        from.resetAndDestroy();
        return;
      }
      waiting.push({ bytes, at: performance.now() + line.delayMs });
      if (line.delayMs === 0 && line.bytesPerSecond === 0) move();
    });
    from.on('end', () => {
      ended = true;
      move();
    });
    from.on('close', () => {
      pumps.delete(move);
      if (!into.destroyed && cuts.includes(line.cut)) into.destroy();
    });
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    count.taken += 1;
    const home = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [client, home]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {
        client.destroy();
        home.destroy();
      });
      socket.on('close', () => open.delete(socket));
    }
    pump(client, home, ['requests', 'both']);
    pump(home, client, ['answers', 'both']);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const ticking = setInterval(() => {
    for (const move of pumps) move();
  }, tickMs);

  function breakAll(): void {
    for (const socket of open) socket.destroy();
  }

  return {
    set(changed) {
      line = { ...line, ...changed };
    },
    breakAll,
    count,
    async stop() {
      clearInterval(ticking);
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
