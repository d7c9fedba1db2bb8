import type { ApiClient, Reply } from '@hearth/testkit/home';
import { declared } from './declared.ts';

export interface Seen {
  operation: string;
  path: string;
  reply: Reply;
}

const most = 2_500;
const atOnce = 8;

export interface Walked {
  /** Ids and addresses that the viewer may know from elsewhere. */
  guesses: readonly string[];
  /** The id of a group to resolve. */
  group: string;
  /** How many rounds it continues with the ids found so far (default 3). */
  rounds?: number;
}

/** Calls every reading operation with every id found so far, as a curious viewer would. */
export async function walk(client: ApiClient, { guesses, group, rounds = 3 }: Walked): Promise<Seen[]> {
  const reads = declared.filter(({ method }) => method === 'GET');
  const known = new Set(guesses);
  const asked = new Set<string>();
  const seen: Seen[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const paths = new Map<string, string>();
    for (const { id, path } of reads)
      for (const filled of fill(path, [...known], group))
        if (!asked.has(filled) && asked.size + paths.size <= most) paths.set(filled, id);
    for (const filled of paths.keys()) asked.add(filled);
    for (let rest = [...paths]; rest.length > 0; rest = rest.slice(atOnce)) {
      const answered = rest.slice(0, atOnce).map(async ([path, operation]) => ({
        ...{ operation, path },
        reply: await client.get(path),
      }));
      seen.push(...(await Promise.all(answered)));
    }
    for (const { reply } of seen)
      for (const [found] of JSON.stringify(reply.body).matchAll(
        /\b(?:per|shp|ai|grp|inv|msg|thr|nte|evt|apr|rec|pst|cnv|ofr|mtg)_[0-9a-f]{32}/g,
      ))
        if (known.size < 90) known.add(found);
  }
  return seen;
}

/** Everything that an answer shows, including headers. */
export const textOf = ({ reply }: Seen): string =>
  JSON.stringify([reply.body, ...[...reply.headers].filter(([name]) => name !== 'date')]);

/** The operation's paths with these values as parameters, where their kind fits. */
function fill(path: string, values: readonly string[], group: string): string[] {
  const names = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name!);
  if (names.length === 0)
    return [path === '/v0/groups/resolve' ? `${path}?q=${encodeURIComponent(group)}` : path];
  return names.reduce<string[]>(
    (paths, name) =>
      paths.flatMap((partial) =>
        values
          .filter((value) => fits(path, name, value))
          .map((value) => partial.replace(`{${name}}`, encoded(value))),
      ),
    [path],
  );
}

/** Includes the key of a receipt's link, if any. */
function encoded(value: string): string {
  const [id, key] = value.split('?');
  return `${encodeURIComponent(id!)}${key === undefined ? '' : `?${key}`}`;
}

function fits(path: string, name: string, value: string): boolean {
  if (name === 'address') return /^[@&]|^shp_/.test(value);
  if (name === 'person' || path.startsWith('/v0/people')) return /^(?:per|shp)_|^@/.test(value);
  if (path.startsWith('/v0/groups')) return /^grp_|^&/.test(value);
  if (path.startsWith('/v0/ais')) return /^ai_/.test(value);
  if (path.startsWith('/v0/threads')) return value.startsWith('thr_');
  if (path.startsWith('/v0/messages')) return value.startsWith('msg_');
  if (path.startsWith('/v0/approvals')) return value.startsWith('apr_');
  if (path.startsWith('/v0/records')) return value.startsWith('rec_');
  if (path.startsWith('/v0/meetings/offers')) return value.startsWith('ofr_');
  if (path.startsWith('/v0/meetings')) return value.startsWith('mtg_');
  if (value.includes('?')) return false;
  return !/^[@&]/.test(value);
}
