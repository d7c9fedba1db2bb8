import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../tools/run.mjs';
import { path } from './programs.ts';
import { state } from './settings.ts';

const environment = { ...process.env, PATH: path, TMPDIR: join(state, 'tmp') };

/** Runs shell lines, all of which must succeed. */
export const shell = (lines: string): string => run('sh', ['-euc', lines], { env: environment, cwd: state });

/**
 * Starts a long-running program with its output in a file of its name; `before` prefixes the command, such as nsenter.
 */
export function stay(name: string, args: readonly string[], before: readonly string[] = []): void {
  mkdirSync(join(state, 'log'), { recursive: true });
  const log = openSync(join(state, 'log', `${name}.log`), 'a');
  const [program = '', ...rest] = [...before, ...args];
  spawn(program, rest, { stdio: ['ignore', log, log], env: environment, cwd: state }).on('error', (error) =>
    console.error(`${name}: ${error.message}`),
  );
}
