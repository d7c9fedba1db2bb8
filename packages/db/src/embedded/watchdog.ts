import { spawn } from 'node:child_process';
import type { Account } from './account.ts';

/**
 * Shuts the server down if the home ends without doing so (kill -9, a crash): a shell that waits for the end of its
 * input, which comes when the home's side of the pipe closes for any reason. Returns a function that cancels it.
 * Windows has no such shell; there the next start cleans up.
 */
export function watchOver(pid: number, account: Account | null): () => void {
  const quit = () => {
    try {
      process.kill(pid, 'SIGINT');
    } catch {
      // Already ended.
    }
  };
  process.once('exit', quit);
  if (process.platform === 'win32') return () => process.off('exit', quit);
  const shell = spawn(
    '/bin/sh',
    ['-c', 'read -r _ || kill -INT "$1"', 'hearth-postgres-watchdog', String(pid)],
    {
      ...account,
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  shell.on('error', () => {});
  shell.stdin!.on('error', () => {});
  shell.unref();
  return () => {
    process.off('exit', quit);
    // A line ends the wait without a kill.
    shell.stdin!.end('\n');
  };
}
