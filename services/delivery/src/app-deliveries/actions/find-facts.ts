import { anonymous } from '@hearth/rpc';
import type { AppDraft } from '../../events/module.ts';
import type { Context } from '../context.ts';
import type { Facts } from '../domain/view.ts';

const mostAsked = 500;

/** Fetches the people, groups and AIs that many events name, with one batch of requests to identity and groups. */
export async function findFacts(
  context: Pick<Context, 'ais' | 'groups' | 'people'>,
  drafts: readonly AppDraft[],
): Promise<Facts> {
  const needed = (of: 'people' | 'groups' | 'ais') => [
    ...new Set(drafts.flatMap(({ needs }) => needs[of] ?? []).filter((id) => id !== '')),
  ];
  const [people, groups, ais] = await Promise.all([
    context.people.everywhere.find(needed('people')),
    inParts(needed('groups'), async (ids) => {
      const { results } = await context.groups.findGroups({ ids, withApps: true }, { caller: anonymous });
      return results.flatMap(({ group }) => (group === undefined ? [] : [group]));
    }),
    inParts(needed('ais'), async (ids) => {
      const { results } = await context.ais.findAis({ ids }, { caller: anonymous });
      return results.flatMap(({ facts }) => (facts === undefined ? [] : [facts]));
    }),
  ]);
  return { people, groups, ais };
}

async function inParts<Fact extends { id: string }>(
  ids: readonly string[],
  ask: (ids: string[]) => Promise<Fact[]>,
): Promise<Map<string, Fact>> {
  const parts: Promise<Fact[]>[] = [];
  for (let from = 0; from < ids.length; from += mostAsked) parts.push(ask(ids.slice(from, from + mostAsked)));
  return new Map((await Promise.all(parts)).flat().map((facts) => [facts.id, facts]));
}
