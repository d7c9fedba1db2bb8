import type { Breach } from './law.ts';
import { isTest } from './law.ts';
import { serviceNamesOf } from './places.ts';
import type { Tree } from './tree.ts';

const document = 'ARCHITECTURE.md';

/** Which services each service calls, and where. */
function callsBetween(tree: Tree): Map<string, Map<string, string>> {
  const calls = new Map<string, Map<string, string>>(serviceNamesOf(tree).map((name) => [name, new Map()]));
  for (const { path, peers } of tree.files) {
    const [, caller] = /^services\/([\w-]+)\/src\//.exec(path) ?? [];
    if (caller === undefined || isTest(path)) continue;
    for (const { service, line } of peers) calls.get(caller)!.set(service, `${path}:${line}`);
  }
  return calls;
}

/** Pairs of services that call each other in both directions: "groups identity". */
function lateralPairs(tree: Tree): string[] {
  const calls = callsBetween(tree);
  return [...calls].flatMap(([one, targets]) =>
    [...targets.keys()]
      .filter((other) => one < other && calls.get(other)?.has(one))
      .map((other) => `${one} ${other}`)
      .sort(),
  );
}

/**
 * Services that call each other in both directions must be listed in ARCHITECTURE.md, in the table below "Lateral
 * calls", one row per pair with a reason. Checks nothing without such a heading.
 */
export function lateralBreaches(tree: Tree): Breach[] {
  const lines = (tree.read(document) ?? '').split('\n');
  const heading = lines.findIndex((line) => /^#+\s+Lateral calls\s*$/.test(line));
  if (heading === -1) return [];
  const breaches: Breach[] = [];
  const services = serviceNamesOf(tree);
  const calls = callsBetween(tree);
  const pairs = lateralPairs(tree);
  const listed = new Set<string>();
  const namesIn = (cell: string) => [
    ...new Set((cell.match(/[\w-]+/g) ?? []).filter((word) => services.includes(word))),
  ];
  const end = lines.findIndex((line, index) => index > heading && /^#+\s/.test(line));
  for (let index = heading + 1; index < (end === -1 ? lines.length : end); index += 1) {
    const cells = lines[index]!.split('|').slice(1, -1);
    if (cells.length < 2) continue;
    const [first, both] = [namesIn(cells[0]!), namesIn(`${cells[0]} ${cells[1]}`)];
    const pair = (first.length > 1 ? first : both).slice(0, 2).sort().join(' ');
    if (pair === '') continue;
    const say = (message: string) => breaches.push({ path: document, line: index + 1, message });
    listed.add(pair);
    if (!pairs.includes(pair))
      say(`names ${pair.replace(' ', ' and ')}, which do not call each other both ways: take the row out.`);
    if (cells.at(-1)!.trim() === '')
      say(`gives no reason why ${pair.replace(' ', ' and ')} call each other both ways.`);
  }
  for (const pair of pairs.filter((each) => !listed.has(each))) {
    const [one, other] = pair.split(' ') as [string, string];
    const where = `${calls.get(one)!.get(other)} and ${calls.get(other)!.get(one)}`;
    const message = `"Lateral calls" does not name ${one} and ${other}, which call each other both ways (${where}). Let one of them do without the other, or give the reason in a row.`;
    breaches.push({ path: document, line: heading + 1, message });
  }
  return breaches;
}
