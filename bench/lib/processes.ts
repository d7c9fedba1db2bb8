import { readdirSync, readFileSync } from 'node:fs';

/** What the kernel counts for a set of processes and all of their descendants. */
export interface Use {
  /** CPU time in µs, user and system together. */
  cpuUs: number;
  /** Resident memory in bytes; pages that processes share are counted once (PSS). */
  memoryBytes: number;
}

const ticksPerSecond = 100;

/** CPU and memory of these processes with everything that they started (Postgres runs one process per connection). */
export function useOf(pids: readonly number[]): Use {
  const all = withDescendants(pids);
  return {
    cpuUs: all.reduce((sum, pid) => sum + cpuUs(pid), 0),
    memoryBytes: all.reduce((sum, pid) => sum + memoryBytes(pid), 0),
  };
}

/** CPU alone, by the first pid's descendants of each name given. */
export function cpuByName(pids: Readonly<Record<string, number[]>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(pids).map(([name, each]) => [name, withDescendants(each).reduce((sum, pid) => sum + cpuUs(pid), 0)]),
  );
}

function withDescendants(pids: readonly number[]): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = stat(Number(name))?.[1];
    if (parent === undefined) continue;
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const visit = (pid: number) => {
    found.push(pid);
    for (const child of children.get(pid) ?? []) visit(child);
  };
  for (const pid of pids) visit(pid);
  return found;
}

/** The fields of /proc/<pid>/stat after the command: state, parent, ... */
function stat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function cpuUs(pid: number): number {
  const fields = stat(pid);
  if (fields === undefined) return 0;
  // User and system time, and those of children that have ended.
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
  return (ticks * 1_000_000) / ticksPerSecond;
}

function memoryBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
