import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..', '..');

/** The environment of a process without settings. The compile cache halves its start, as it does for operators. */
export const nodeEnvironment = () => ({
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: join(root, '.cache', 'compile'),
});

const running = new Set<ChildProcess>();

// An aborted test run must leave no home behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** One process of a home, started as an operator would. */
export interface ServiceProcess {
  readonly service: string;
  readonly port: number;
  pid(): number;
  running(): boolean;
  /** Its stdout and stderr since the last start. */
  output(): string;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGTERM; resolves with the exit code. */
  terminate(): Promise<number | null>;
  /** Starts it again on the same port after a kill. */
  start(): void;
  exited(): Promise<number | null>;
}

export interface ServiceProcessOptions {
  service: string;
  port: number;
  env: Record<string, string>;
}

/** Starts `services/<service>/src/main.ts` with exactly this environment, plus PATH. */
export function spawnService({ service, port, env }: ServiceProcessOptions): ServiceProcess {
  let child: ChildProcess;
  let output = '';
  let exit: Promise<number | null>;

  function start(): void {
    output = '';
    child = spawn(process.execPath, ['--no-warnings', join(root, 'services', service, 'src', 'main.ts')], {
      env: { ...nodeEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-200_000);
    };
    child.stdout!.on('data', keep);
    child.stderr!.on('data', keep);
    const started = child;
    running.add(started);
    exit = new Promise((resolve) =>
      started.once('exit', (code) => {
        running.delete(started);
        resolve(code);
      }),
    );
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exit;
  }

  start();
  return {
    service,
    port,
    pid: () => child.pid!,
    running: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    kill: async () => void (await end('SIGKILL')),
    terminate: () => end('SIGTERM'),
    start,
    exited: () => exit,
  };
}
