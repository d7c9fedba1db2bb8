import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchHome } from './home.ts';
import { cpuOf } from './processes.ts';
import { startPostgres } from './servers.ts';

/** A server that accepts the API requests that traffic consists of. */
export type Peer = Pick<BenchHome, 'ports' | 'cpu' | 'stop'>;

/** Starts `bench/peers/<name>.ts` in a process of its own, with Postgres if it stores anything. */
export async function startPeer(name: 'toy' | 'bare'): Promise<Peer> {
  const postgres = name === 'toy' ? await startPostgres() : undefined;
  const program = join(import.meta.dirname, '..', 'peers', `${name}.ts`);
  const child = spawn(process.execPath, ['--no-warnings', program, postgres?.url ?? ''], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  const pids = [
    { name, pid: child.pid! },
    ...(postgres === undefined ? [] : [{ name: 'postgres', pid: postgres.pid() }]),
  ];
  return {
    ports: [Number(String(port).trim())],
    cpu: () => cpuOf(pids),
    async stop() {
      child.stdin.end();
      await once(child, 'exit');
      await postgres?.stop();
    },
  };
}
