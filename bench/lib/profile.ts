import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { number, table } from './table.ts';

/** A part of the monotonic clock's time, in µs, and how many messages were delivered in it. */
export interface ProfiledWindow {
  beganUs: number;
  endedUs: number;
  messages: number;
}

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[];
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

/** Time that one place in the code spent itself, in µs. */
interface Spent {
  place: string;
  us: number;
}

const functionsShown = 25;
const modulesShown = 15;

/** Prints, for each process that left a profile, the functions and the modules where its time went. */
export function printProfiles(folder: string, window: ProfiledWindow, say: (line: string) => void): void {
  const files = readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'));
  for (const file of files) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    const byFunction = spentIn(profile, window, (node) => functionPlace(node.callFrame));
    const busy = byFunction.filter(({ place }) => place !== '(idle)').reduce((sum, { us }) => sum + us, 0);
    if (busy < 100_000) continue;
    const byModule = spentIn(profile, window, (node) => modulePlace(node.callFrame));
    const rows = (spent: Spent[], most: number) =>
      spent
        .filter(({ place }) => place !== '(idle)')
        .slice(0, most)
        .map(({ place, us }) => [number(us / window.messages), number((us * 100) / busy), place]);
    say(`\n${nameOf(profile)}: ${number(busy / window.messages)} µs for each message`);
    say(table(['µs', '%', 'function'], rows(byFunction, functionsShown)));
    say('');
    say(table(['µs', '%', 'module'], rows(byModule, modulesShown)));
  }
  say(`\nThe profiles stay in ${folder}`);
}

function spentIn(
  profile: CpuProfile,
  { beganUs, endedUs }: ProfiledWindow,
  placeOf: (node: CpuProfile['nodes'][number]) => string,
): Spent[] {
  const places = new Map(profile.nodes.map((node) => [node.id, placeOf(node)]));
  const spent = new Map<string, number>();
  let at = profile.startTime;
  for (const [index, sample] of profile.samples.entries()) {
    // A sample stands for the time until the next one.
    at += profile.timeDeltas[index]!;
    if (at < beganUs || at > endedUs) continue;
    const place = places.get(sample)!;
    spent.set(place, (spent.get(place) ?? 0) + (profile.timeDeltas[index + 1] ?? 0));
  }
  return [...spent].map(([place, us]) => ({ place, us })).sort((a, b) => b.us - a.us);
}

/** The service that the profile is of: the entry file that it ran. */
function nameOf(profile: CpuProfile): string {
  const entry = profile.nodes.find((node) => /services\/[^/]+\/src\/main\.ts$/.test(node.callFrame.url));
  return entry === undefined ? 'another process' : entry.callFrame.url.split('/').at(-3)!;
}

function functionPlace({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name}  ${shortPath(url)}:${lineNumber + 1}`;
}

function modulePlace({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
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
