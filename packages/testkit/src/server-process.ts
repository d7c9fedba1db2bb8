import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

export interface ServerProcess {
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal and resolves once the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface ServerProcessOptions {
  binary: string;
  args: string[];
  /** True once the server accepts clients; polled every 20 ms. */
  ready(): Promise<boolean>;
  /** Milliseconds until a start counts as failed (default 15,000). */
  timeout?: number;
}

const running = new Set<ChildProcess>();

// An aborted test run must leave no server behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a server and resolves once it is ready. Rejects with its output if it exits or takes too long. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { binary, args, ready, timeout = 15_000 } = options;
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let printed = '';
  const keep = (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-4_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const gone = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      printed += error.message;
      resolve();
    });
    child.once('exit', () => resolve());
  }).finally(() => running.delete(child));

  const until = performance.now() + timeout;
  while (!(await ready())) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      throw new Error(`${binary} ended before it was ready: ${printed}`);
    }
    if (performance.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`${binary} was not ready after ${timeout} ms: ${printed}`);
    }
    await delay(20);
  }

  return {
    pid: child.pid!,
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      child.kill(signal);
      await gone;
    },
  };
}
