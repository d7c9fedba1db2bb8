import { readFileSync } from 'node:fs';

function childrenOf(pid: number): number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return list === '' ? [] : list.split(' ').map(Number);
  } catch {
    return [];
  }
}

/** Sends a signal to a process and its children, as for a whole Postgres. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  const members = [pid, ...childrenOf(pid)];
  for (const member of members) {
    try {
      process.kill(member, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Whether that process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}
