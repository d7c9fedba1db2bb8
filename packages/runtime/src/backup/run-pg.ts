import { spawn } from 'node:child_process';
import { internal } from '@hearth/errors';
import type { PgProgram } from './pg-program.ts';

/**
 * Runs a Postgres program to its end and returns its output.
 *
 * @param url the database; its password is passed in the environment, where other users of the machine can't see it
 * @throws internal with the program's output if it fails
 */
export async function runPg(program: PgProgram, args: readonly string[], url?: string): Promise<string> {
  const database = url === undefined ? undefined : forLibpq(url);
  const child = spawn(program.path, [...args, ...(database?.args ?? [])], {
    env: { PGAPPNAME: 'hearth backup', ...database?.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [printed, complained] = ['', ''];
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (complained += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw internal(`${program.path} failed: ${complained.trim().slice(-2_000)}`);
  return printed;
}

/** The address for Postgres's own programs: Node's driver has a parameter that they do not know. */
function forLibpq(url: string) {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  if (address.searchParams.get('sslmode') === 'no-verify') address.searchParams.set('sslmode', 'require');
  return { args: [`--dbname=${address.href}`], env: { PGPASSWORD: password } };
}
