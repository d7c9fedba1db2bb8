import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import { Role } from '@hearth/proto/groups/v1/groups';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import { anonymous, type Client } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Member } from '../domain/member.ts';
import { memberOf } from './gather-people.ts';

interface KnowDeps {
  peers: {
    groups: Pick<Client<typeof GroupsService>, 'findMembership'>;
    identity: Pick<Client<typeof PeopleService>, 'findPeople'>;
  };
}

interface Row {
  group: string;
  hidden_from: string | null;
}

/** The events that change who the people of a decision or a plan are. */
export const peopleEvents = [
  'person_changed',
  'account_deleted',
  'member_left',
  'member_removed',
  'role_changed',
];

/** uuids of the people whom an event is about, where it changes who they are here. */
export function concerned(data: ReceivedEvent['event']['data']): string[] {
  switch (data.case) {
    case 'personChanged':
      return data.value.changed.some((name) => watched.has(name)) ? [data.value.person?.id ?? ''] : [];
    case 'accountDeleted':
      return [...data.value.deleted, ...data.value.handovers.map(({ child }) => child)];
    case 'memberLeft':
    case 'memberRemoved':
    case 'roleChanged':
      return [data.value.person?.id ?? ''];
    default:
      return [];
  }
}

const watched = new Set(['guardian', 'age_band', 'ai_share']);

/** The facts of a member that change. */
export type Known = Pick<Member, 'guardians' | 'aiShare' | 'organizer'>;

/** The facts now of the people that changed; null for those who are part of it no more. */
export async function knowAgain(
  { peers }: KnowDeps,
  { row, people: participants }: { row: Row; people: readonly Member[] },
  changed: readonly string[],
): Promise<Map<string, Known | null>> {
  const concerned = participants.filter(
    ({ person, guardians }) => changed.includes(person) || guardians.some((one) => changed.includes(one)),
  );
  // Not from the cache: it may be older than the event.
  const ids = concerned.map(({ person }) => person);
  const { results } = await peers.identity.findPeople({ ids }, { caller: anonymous });
  const known = new Map<string, Known | null>();
  for (const [index, { person, asked }] of concerned.entries()) {
    const one = results[index]?.facts;
    const { group, role } = await peers.groups.findMembership(
      { group: row.group, person },
      { caller: anonymous },
    );
    const now =
      one === undefined || group === undefined
        ? null
        : memberOf(one, asked, role === Role.ORGANIZER, row.hidden_from);
    known.set(person, now && { guardians: now.guardians, aiShare: now.aiShare, organizer: now.organizer });
  }
  return known;
}

export function sameFacts(before: readonly Known[], after: readonly Known[]): boolean {
  const facts = (people: readonly Known[]) =>
    JSON.stringify(people.map(({ guardians, aiShare, organizer }) => [guardians, aiShare, organizer]));
  return facts(before) === facts(after);
}
