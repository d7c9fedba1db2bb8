import { spawnSync } from 'node:child_process';

/** Runs a program to its end and returns its standard output; throws with all of its output if it fails. */
export function run(program, args, options = {}) {
  const result = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) {
    throw new Error(`${[program, ...args].join(' ')} failed:\n${result.stdout}${result.stderr}`);
  }
  return result.stdout;
}
