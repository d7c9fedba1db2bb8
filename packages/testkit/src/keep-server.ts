import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import type { TestServer } from './test-server.ts';

export interface ServerKind {
  name: string;
  url(port: number): string;
  binary(): string;
  /** Writes the server's configuration into `folder` and returns its arguments. */
  configure(folder: string, dataFolder: string, port: number): Promise<string[]>;
  ready(port: number): Promise<boolean>;
}

/** Starts such a server, and keeps its port and folder over kills and restarts. */
export async function keepServer(kind: ServerKind): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), `hearth-${kind.name}-`));
  const dataFolder = join(folder, 'data');
  const port = await freePort();
  let server: ServerProcess | undefined;

  async function start(): Promise<void> {
    if (server !== undefined) throw new Error(`${kind.name} runs already`);
    await mkdir(dataFolder, { recursive: true });
    const args = await kind.configure(folder, dataFolder, port);
    server = await startServerProcess({ binary: kind.binary(), args, ready: () => kind.ready(port) });
  }

  function present(): ServerProcess {
    if (server === undefined) throw new Error(`${kind.name} does not run`);
    return server;
  }

  async function kill(): Promise<void> {
    await present().end('SIGKILL');
    server = undefined;
  }

  async function wipe(): Promise<void> {
    if (server !== undefined) throw new Error(`${kind.name} runs; kill it before its data is touched`);
    await rm(dataFolder, { recursive: true, force: true });
  }

  let copies = 0;
  async function copy(): Promise<() => Promise<void>> {
    if (server !== undefined) throw new Error(`${kind.name} runs; kill it before its data is copied`);
    copies += 1;
    const kept = join(folder, `copy-${copies}`);
    await cp(dataFolder, kept, { recursive: true });
    return async () => {
      await wipe();
      await cp(kept, dataFolder, { recursive: true });
    };
  }

  await start();
  return {
    url: kind.url(port),
    port,
    pid: () => present().pid,
    kill,
    start,
    freeze() {
      present().signal('SIGSTOP');
      waitUntilStopped(present().pid);
    },
    resume: () => present().signal('SIGCONT'),
    wipe,
    copy,
    async stop() {
      if (server !== undefined) await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const longestStopMs = 5_000;

/** Threads run on for a moment after the signal, and may still accept a request. Without /proc there is no wait. */
function waitUntilStopped(pid: number): void {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return;
  const isStopped = (thread: string) => /\) [tT] /.test(readFileSync(`${threads}/${thread}/stat`, 'utf8'));
  const until = performance.now() + longestStopMs;
  const slept = new Int32Array(new SharedArrayBuffer(4));
  while (!readdirSync(threads).every(isStopped)) {
    if (performance.now() > until) throw new Error(`process ${pid} does not stop`);
    Atomics.wait(slept, 0, 0, 1);
  }
}
