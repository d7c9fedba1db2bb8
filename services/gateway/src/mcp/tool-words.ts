import type { Operation } from '../operations/module.ts';

const route = /\b(GET|POST|PUT|PATCH|DELETE) (\/v0\/[^\s,;?"']*[^\s,;?"'.:)])(?:\?([^\s,;"']*[^\s,;"'.)]))?/g;

/** Replaces each route in a sentence by its tool, because callers over MCP have no routes. */
export function createToolWords(operations: readonly Operation[]): (words: string) => string {
  const known = operations.flatMap(({ id, bindings }) =>
    bindings.map(({ method, template, segments }) => ({
      id,
      method,
      template,
      length: segments.length,
      segments,
    })),
  );

  function idOf(method: string, path: string): string | undefined {
    const parts = path.split('/').slice(1);
    const fitting = known.filter(
      (each) =>
        each.method === method &&
        each.length === parts.length &&
        each.segments.every(({ text }, index) => text === undefined || text === parts[index]),
    );
    // Fixed text takes precedence over a parameter, as in routing.
    const fixed = ({ segments }: (typeof known)[number]) =>
      segments.filter(({ text }) => text !== undefined).length;
    return fitting.sort((one, other) => fixed(other) - fixed(one))[0]?.id;
  }

  return (words) =>
    words.replace(route, (whole, method: string, path: string, query?: string) => {
      const id = idOf(method, path);
      if (id === undefined) return whole;
      const given = query === undefined ? '' : ` with ${query.replaceAll('&', ' and ').replaceAll('=', ' ')}`;
      return `the tool ${id}${given}`;
    });
}
