import { readdirSync, readFileSync } from 'node:fs';

/** CPU time in µs, user and system together, by process name. */
export type CpuByName = Record<string, number>;

export interface Memory {
  /** The resident pages of all processes in bytes; shared ones count in each. */
  rss: number;
  /** Like `rss`, with shared pages divided among the processes that share them. */
  pss: number;
}

/** Names for the started processes; their descendants count with them, except Postgres. */
export type NamedPids = readonly { name: string; pid: number }[];

interface Found {
  name: string;
  pid: number;
}

const ticksPerSecond = 100;

/** The CPU time of these processes and their descendants since their start. */
export function cpuOf(named: NamedPids): CpuByName {
  const sums: CpuByName = {};
  for (const { name, pid } of withDescendants(named)) sums[name] = (sums[name] ?? 0) + cpuUs(pid);
  return sums;
}

/** The CPU time between two moments. */
export function cpuBetween(before: CpuByName, after: CpuByName): CpuByName {
  return Object.fromEntries(Object.entries(after).map(([name, us]) => [name, us - (before[name] ?? 0)]));
}

export function sumOf(cpu: CpuByName): number {
  return Object.values(cpu).reduce((sum, us) => sum + us, 0);
}

/** The memory of these processes and their descendants. */
export function memoryOf(named: NamedPids): Memory {
  const each = withDescendants(named).map(({ pid }) => memoryOfProcess(pid));
  return {
    rss: each.reduce((sum, memory) => sum + memory.rss, 0),
    pss: each.reduce((sum, memory) => sum + memory.pss, 0),
  };
}

/** Their memory in bytes with shared pages divided (PSS), by process name. */
export function memoryByName(named: NamedPids): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { name, pid } of withDescendants(named))
    sums[name] = (sums[name] ?? 0) + memoryOfProcess(pid).pss;
  return sums;
}

/** Exact for this process; whole process trees are only known in the kernel's ticks. */
export function ownCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The CPU time of all processes on this machine, in µs; other work disturbs the bench's figures. */
export function machineCpuUs(): number {
  const [, user, nice, system, , , interrupts, softInterrupts] = readFileSync('/proc/stat', 'utf8')
    .slice(0, 200)
    .split(/\s+/)
    .map(Number);
  return ((user! + nice! + system! + interrupts! + softInterrupts!) * 1_000_000) / ticksPerSecond;
}

function withDescendants(named: NamedPids): Found[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = stat(Number(entry))?.fields[1];
    if (parent === undefined) continue;
    const siblings = children.get(Number(parent));
    if (siblings === undefined) children.set(Number(parent), [Number(entry)]);
    else siblings.push(Number(entry));
  }
  const found = new Map<number, string>();
  const visit = (pid: number, name: string) => {
    if (found.has(pid)) return;
    const own = stat(pid)?.command === 'postgres' ? 'postgres' : name;
    found.set(pid, own);
    for (const child of children.get(pid) ?? []) visit(child, own);
  };
  for (const { name, pid } of named) visit(pid, name);
  return [...found].map(([pid, name]) => ({ pid, name }));
}

interface Stat {
  command: string;
  /** The fields after the command: state, parent, ... */
  fields: string[];
}

function stat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')');
    return { command: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') };
  } catch {
    return undefined;
  }
}

function cpuUs(pid: number): number {
  const fields = stat(pid)?.fields;
  if (fields === undefined) return 0;
  // User and system time, including that of ended children.
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
  return (ticks * 1_000_000) / ticksPerSecond;
}

function memoryOfProcess(pid: number): Memory {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kilobytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
    return { rss: kilobytes('Rss') * 1_024, pss: kilobytes('Pss') * 1_024 };
  } catch {
    return { rss: 0, pss: 0 };
  }
}
