import type { Home } from './home.ts';

const perPage = 100;

/**
 * The entries of a list, page by page, at most `most` of them; one more when there are more.
 *
 * @param path with the query's fixed part: "/v0/admin/deliveries?status=failed"
 * @param name of the list in the answer
 */
export async function readPages<Entry>(
  home: Pick<Home, 'call'>,
  path: string,
  name: string,
  most: number,
): Promise<Entry[]> {
  const [base = '', fixed = ''] = path.split('?');
  const entries: Entry[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams(fixed);
    query.set('limit', String(Math.min(perPage, most + 1 - entries.length)));
    if (cursor !== null) query.set('cursor', cursor);
    const page: Record<string, unknown> = await home.call('GET', `${base}?${query}`);
    entries.push(...(page[name] as Entry[]));
    cursor = page['next_cursor'] as string | null;
  } while (cursor !== null && entries.length <= most);
  return entries;
}
