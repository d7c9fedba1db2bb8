import type { Mistake } from './config-error.ts';
import type { Declaration, Environment } from './field.ts';

/** Returns a mistake for each undeclared variable under one of `prefixes`. */
export function unknownVariables(
  env: Environment,
  declaration: Declaration,
  prefixes: readonly string[],
): Mistake[] {
  const known = knownNames(declaration);
  return Object.keys(env)
    .filter((name) => !known.has(name) && prefixes.some((prefix) => name.startsWith(prefix)))
    .filter((name) => !isServiceLink(name, env[name] ?? ''))
    .sort()
    .map((name) => ({
      variable: name,
      problem: 'is not a setting',
      expected: `a known setting; did you mean ${nearest(name, known)}?`,
    }));
}

/**
 * Whether Kubernetes or Docker set the variable for a neighbouring service: for a service called
 * `hearth-gateway`, they set HEARTH_GATEWAY_SERVICE_HOST and others.
 */
function isServiceLink(name: string, value: string): boolean {
  if (/_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$/.test(name)) return true;
  if (/_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true;
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value);
}

function knownNames(declaration: Declaration): Set<string> {
  const variables = Object.values(declaration).flatMap((field) => field.describe);
  return new Set(variables.flatMap(({ name, fromFile }) => (fromFile ? [name, `${name}_FILE`] : [name])));
}

function nearest(name: string, known: Iterable<string>): string {
  let best = '';
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** The Levenshtein distance between two words. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(change, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
