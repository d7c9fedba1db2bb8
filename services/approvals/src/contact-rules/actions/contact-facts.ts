import type { HomeNames } from '@hearth/addresses';
import type { Database } from '@hearth/db';
import { isMinor, type People } from '@hearth/people';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { anyone, type Client } from '@hearth/rpc';
import { homeOfTarget, targetsOf } from '../../shared/domain/block-target.ts';
import { kindOf, type RequestKindWord } from '../../shared/domain/request-kinds.ts';
import type { RulesRow } from '../db/rules.ts';
import { type BlockQuestion, type Questions, readStanding, type Standing } from '../db/standing.ts';
import type { ReachFacts } from '../domain/contact-policy.ts';
import { rulesFor } from '../domain/rules-of.ts';
import type { Reaching } from './contact-policy.ts';

export interface GatherPeers {
  /** How this home's addresses are told from those of others. */
  homeNames: HomeNames;
  database: Database;
  people: Pick<People, 'find'>;
  groups: Pick<Client<typeof GroupsService>, 'shareGroup' | 'findMembership'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
}

export interface Gathered {
  facts: ReachFacts;
  kind: RequestKindWord;
  /** uuids of groups that the people behind both share. */
  groups: readonly string[];
}

/**
 * Everything is asked for every item, whatever would decide alone: how long a refusal takes says nothing of what it comes
 * from.
 */
export async function gatherFacts(peers: GatherPeers, items: readonly Reaching[]): Promise<Gathered[]> {
  const recipients = [...new Set(items.flatMap(({ recipient }) => (recipient === null ? [] : [recipient])))];
  const facts = await peers.people.find(recipients);
  const guardians = items.map(({ recipient }) =>
    guardianOf(recipient === null ? undefined : facts.get(recipient)),
  );
  const [{ rules, doors, blocked, said }, shared] = await Promise.all([
    standingOf(peers, {
      people: recipients,
      blocks: [
        ...items.map((item) => blockQuestion(item, [item.recipient, item.recipientAi], peers.homeNames)),
        ...items.map((item, index) => blockQuestion(item, [guardians[index] ?? null], peers.homeNames)),
      ],
      pairs: items.map(({ recipient, sender }) => ({ person: recipient ?? sender, sender })),
    }),
    sharedGroups(peers, items),
  ]);
  return items.map((item, index) => {
    const person = item.recipient === null ? undefined : facts.get(item.recipient);
    const minor = person !== undefined && isMinor(person);
    // What the recipient said of the sender counts more than what the sender says of the request.
    const kind = kindOf(said[index]?.kind ?? '') ?? item.kind;
    const { rows } = rulesFor(item.recipient === null ? null : (rules.get(item.recipient) ?? null), minor);
    return {
      kind,
      groups: shared[index]!.groups,
      facts: {
        ...relation(item, person),
        blocked: blocked[index]! || (item.recipient !== null && person === undefined),
        guardian: guardians[index] ?? null,
        guardianBlocks: blocked[items.length + index]!,
        takesAll: item.recipient === null,
        sharesGroup: shared[index]!.share,
        minor,
        toAi: item.recipientAi !== null,
        unseen: item.unseen === true,
        remembered: said[index]?.inbox === true,
        wroteBefore: item.wroteBefore,
        checked: item.checked,
        rule: rows[kind],
        frontDoor: (item.recipient !== null && doors.get(item.recipient)) || null,
      },
    };
  });
}

function relation(
  { sender, senderKind, senderPerson, recipient, recipientAi, family }: Reaching,
  person: PersonFacts | undefined,
): Pick<ReachFacts, 'own' | 'family'> {
  const word = senderKind === 'person' ? sender : senderPerson;
  return {
    own: recipient !== null && (word === recipient || sender === recipient || sender === recipientAi),
    family: family === true || (word !== null && person?.guardians.includes(word) === true),
  };
}

/** uuid of the guardian whose word counts for somebody under 18. */
function guardianOf(person: PersonFacts | undefined): string | null {
  return person !== undefined && isMinor(person) ? (person.guardians[0] ?? null) : null;
}

function blockQuestion(
  { sender, senderPerson, home, senderAddress }: Reaching,
  owners: readonly (string | null)[],
  homeNames: HomeNames,
): BlockQuestion {
  return {
    owners: owners.filter((id) => id !== null),
    targetIds: [sender, senderPerson].filter((id) => id !== null),
    targets: home === null ? [] : [homeOfTarget(home), ...targetsOf(senderAddress ?? '', homeNames)],
  };
}

/** With the AI at the front door of each recipient, where one may see what comes. */
async function standingOf(
  { database, ais }: GatherPeers,
  questions: Questions,
): Promise<Standing & { doors: Map<string, string> }> {
  const standing = await readStanding(database.db, questions);
  return { ...standing, doors: await doorsOf(ais, standing.rules) };
}

async function doorsOf(
  ais: GatherPeers['ais'],
  rules: ReadonlyMap<string, RulesRow>,
): Promise<Map<string, string>> {
  const chosen = [...rules.values()].flatMap(({ person, frontDoor }) =>
    frontDoor === null ? [] : [{ person, ai: frontDoor }],
  );
  if (chosen.length === 0) return new Map();
  const { results } = await ais.findAis({ ids: chosen.map(({ ai }) => ai) }, { caller: anyone });
  const open = chosen.filter(({ person }, index) => {
    const facts = results[index]?.facts;
    return facts?.owner === person && !facts.revoked && facts.permissions.includes(Scope.MESSAGE);
  });
  return new Map(open.map(({ person, ai }) => [person, ai]));
}

interface Shared {
  share: boolean;
  groups: readonly string[];
}

/** Which groups the people behind share; a group AI shares its own with everybody in it. */
async function sharedGroups({ groups }: GatherPeers, items: readonly Reaching[]): Promise<Shared[]> {
  const pairs = items.flatMap((item, index) => {
    const one = item.senderKind === 'person' ? item.sender : item.senderPerson;
    return one === null || item.recipient === null ? [] : [{ index, one, other: item.recipient }];
  });
  const [together, within] = await Promise.all([
    pairs.length === 0
      ? undefined
      : groups.shareGroup({ pairs: pairs.map(({ one, other }) => ({ one, other })) }, { caller: anyone }),
    Promise.all(items.map((item) => runsGroupOf(groups, item))),
  ]);
  const found = within.map((runs, index): Shared => {
    const { senderGroup } = items[index]!;
    return { share: runs, groups: runs && senderGroup !== null ? [senderGroup] : [] };
  });
  pairs.forEach(({ index }, place) => {
    if (together?.share[place] === true)
      found[index] = { share: true, groups: together.shared[place]?.groups ?? [] };
  });
  return found;
}

async function runsGroupOf(
  groups: GatherPeers['groups'],
  { senderGroup, recipient }: Reaching,
): Promise<boolean> {
  if (senderGroup === null || recipient === null) return false;
  const { group } = await groups.findMembership(
    { group: senderGroup, person: recipient },
    { caller: anyone },
  );
  return group !== undefined && !group.archived;
}
