import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { number, table } from './table.ts';

/** A period of the monotonic clock, in µs, and how many messages were delivered in it. */
export interface ProfiledWindow {
  beganUs: number;
  endedUs: number;
  messages: number;
}

interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

/** Self time of one place in the code, in µs. */
interface Spent {
  place: string;
  us: number;
}

type Node = CpuProfile['nodes'][number];

const shown = 25;
const smallestBusyUs = 100_000;

/**
 * Prints where each profiled process spent its time: by function, by module, and by the project function on
 * whose behalf a library or Node spent it.
 */
export function printProfiles(folder: string, window: ProfiledWindow, say: (line: string) => void): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    const parents = parentsOf(profile);
    const ways: [string, (node: Node) => string][] = [
      ['function, itself', (node) => functionPlace(node.callFrame)],
      ['module, itself', (node) => modulePlace(node.callFrame)],
      ['on behalf of', (node) => chargedTo(node, parents)],
    ];
    const busy = busyUs(profile, window);
    if (busy < smallestBusyUs) continue;
    say(`\n${nameOf(profile)}: ${number(busy / window.messages)} µs for each message`);
    for (const [head, placeOf] of ways) {
      const rows = spentIn(profile, window, placeOf)
        .slice(0, shown)
        .map(({ place, us }) => [number(us / window.messages), number((us * 100) / busy), place]);
      say(`${table(['µs', '%', head], rows)}\n`);
    }
  }
  say(`The profiles stay in ${folder}`);
}

function busyUs(profile: CpuProfile, window: ProfiledWindow): number {
  return spentIn(profile, window, () => 'all').reduce((sum, { us }) => sum + us, 0);
}

/** The window's self time by place, most first, without idle time. */
function spentIn(
  profile: CpuProfile,
  { beganUs, endedUs }: ProfiledWindow,
  placeOf: (node: Node) => string,
): Spent[] {
  const places = new Map(
    profile.nodes.map((node) => [
      node.id,
      node.callFrame.functionName === '(idle)' ? undefined : placeOf(node),
    ]),
  );
  const spent = new Map<string, number>();
  let at = profile.startTime;
  for (const [index, sample] of profile.samples.entries()) {
    // A sample stands for the time until the next one.
    at += profile.timeDeltas[index]!;
    const place = places.get(sample);
    if (at < beganUs || at > endedUs || place === undefined) continue;
    spent.set(place, (spent.get(place) ?? 0) + (profile.timeDeltas[index + 1] ?? 0));
  }
  return [...spent].map(([place, us]) => ({ place, us })).sort((a, b) => b.us - a.us);
}

function parentsOf(profile: CpuProfile): Map<number, Node> {
  return new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  );
}

/** The nearest calling function of this project; without one, the library or built-in part at the start. */
function chargedTo(node: Node, parents: ReadonlyMap<number, Node>): string {
  let begin = node;
  for (let at: Node | undefined = node; at !== undefined; at = parents.get(at.id)) {
    const { url, functionName } = at.callFrame;
    if (url.startsWith('file:') && !url.includes('/node_modules/')) return functionPlace(at.callFrame);
    if (functionName !== '(root)')
      begin = url.includes('/node_modules/') || !begin.callFrame.url.includes('/node_modules/') ? at : begin;
  }
  return modulePlace(begin.callFrame);
}

/** The profiled service, by its entry file. */
function nameOf(profile: CpuProfile): string {
  const entry = profile.nodes.find((node) => /services\/[^/]+\/src\/main\.ts$/.test(node.callFrame.url));
  return entry === undefined ? 'another process' : entry.callFrame.url.split('/').at(-3)!;
}

function functionPlace({ functionName, url, lineNumber }: Node['callFrame']): string {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name}  ${shortPath(url)}:${lineNumber + 1}`;
}

function modulePlace({ functionName, url }: Node['callFrame']): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(built in)';
  const path = shortPath(url);
  if (path.startsWith('node:')) return path;
  const parts = path.split('/');
  if (parts[0] === 'node_modules') return parts.slice(0, parts[1]!.startsWith('@') ? 3 : 2).join('/');
  return path;
}

const root = join(import.meta.dirname, '..', '..') + sep;

function shortPath(url: string): string {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  return path.startsWith(root) ? path.slice(root.length) : basename(path);
}
