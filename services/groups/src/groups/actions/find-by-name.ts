import { parseAddress } from '@hearth/addresses';
import { parseId } from '@hearth/ids';
import type { Context } from '../context.ts';
import { findNamed, type ShownGroup, type Viewer } from '../db/shown-groups.ts';
import { chooseNamed } from '../domain/choose-named.ts';
import { isArchived } from '../domain/ended.ts';

const mostCandidates = 20;

/** Whether the text is a name rather than an id or address of any kind. */
export function isName(words: string, homeNames: Context['homeNames']): boolean {
  return words !== '' && parseId('grp', words) === null && parseAddress(words, homeNames) === null;
}

/** The viewer's groups that best match this name. */
export async function findByName(
  { clock, database: { db }, homeNames }: Pick<Context, 'clock' | 'database' | 'homeNames'>,
  words: string,
  viewer: Viewer,
): Promise<ShownGroup[]> {
  if (!isName(words, homeNames)) return [];
  const now = clock.now();
  const named = await findNamed(db, viewer, words, { now: new Date(now), limit: mostCandidates });
  return chooseNamed(
    named.map((group) => ({ ...group, archived: isArchived(group, now) })),
    words,
  );
}
