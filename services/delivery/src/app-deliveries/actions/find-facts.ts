import type { People } from '@hearth/people';
import type { GroupFacts, GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AiFacts, AisService } from '@hearth/proto/identity/v1/ais';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { anyone, type Client } from '@hearth/rpc';
import type { Draft } from '../domain/draft.ts';

/** What is known of those whom events name; whoever is missing is gone. */
export interface Gathered {
  people: ReadonlyMap<string, PersonFacts>;
  groups: ReadonlyMap<string, GroupFacts>;
  ais: ReadonlyMap<string, AiFacts>;
}

export interface GatherContext {
  people: Pick<People, 'find' | 'show' | 'idFor'>;
  groups: Pick<Client<typeof GroupsService>, 'findGroups'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
}

const mostAsked = 500;

/** Asks identity and groups for all that many events rest on at once. */
export async function gather(context: GatherContext, drafts: readonly Draft[]): Promise<Gathered> {
  const needed = (of: 'people' | 'groups' | 'ais') => [
    ...new Set(drafts.flatMap(({ needs }) => needs[of] ?? []).filter((id) => id !== '')),
  ];
  const [people, groups, ais] = await Promise.all([
    context.people.find(needed('people')),
    inParts(needed('groups'), async (ids) => {
      const { results } = await context.groups.findGroups({ ids, withApps: true }, { caller: anyone });
      return results.flatMap(({ group }) => (group === undefined ? [] : [group]));
    }),
    inParts(needed('ais'), async (ids) => {
      const { results } = await context.ais.findAis({ ids }, { caller: anyone });
      return results.flatMap(({ facts }) => (facts === undefined ? [] : [facts]));
    }),
  ]);
  return { people, groups, ais };
}

async function inParts<Facts extends { id: string }>(
  ids: readonly string[],
  ask: (ids: string[]) => Promise<Facts[]>,
): Promise<Map<string, Facts>> {
  const parts: Promise<Facts[]>[] = [];
  for (let from = 0; from < ids.length; from += mostAsked) parts.push(ask(ids.slice(from, from + mostAsked)));
  return new Map((await Promise.all(parts)).flat().map((facts) => [facts.id, facts]));
}
