import { create, type MessageShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  brokenRule,
  type Copies,
  type Copy,
  type HomeThings,
  homesOf,
  type OutgoingState,
  type SeenCopy,
} from '@hearth/home-acts';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import { addressOf, isMinor } from '@hearth/people';
import { type Group, GroupSchema, MemberSchema } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand, PersonKind, PersonSchema } from '@hearth/proto/identity/v1/resources';
import { anonymous } from '@hearth/rpc';
import { personNotified } from '../../shared/domain/notice.ts';
import type { Context } from '../context.ts';
import { findGroups } from '../db/groups.ts';
import { listJoined } from '../db/joined-elsewhere.ts';
import { listTold, mostTold } from '../db/members.ts';
import { roleOf, toGroup } from '../domain/to-proto.ts';

export type GroupCopies = Copies<typeof GroupSchema>;
type Deps = Pick<Context, 'clock' | 'database' | 'people'>;

/** Groups of other homes that people of this one are in, and what those homes are told of this one's. */
export function createHomeGroups(context: Deps, things: HomeThings): GroupCopies {
  const { clock, people } = context;
  return things.kind('group', {
    desc: GroupSchema,
    factsOf: ({ address, archived }) =>
      address.startsWith('&')
        ? { status: archived ? 'archived' : 'active', startedAt: new Date(clock.now()) }
        : null,
    async admit(state) {
      const { after, before } = state;
      if (after.message.members.length > mostTold)
        return brokenRule('body.object.members', `must be at most ${mostTold}`);
      const seated = new Set(state.seats.map(({ viewer }) => viewer));
      // A home alone cannot put anyone into a group.
      const said = await people.find(await listJoined(context.database.db, after.reference));
      const isNamed = await namedIn(context, after.message, said, seated);
      const members = [...said.values()].filter((person) => !isMinor(person) && isNamed(person));
      if (members.length === 0 && before === null) return { refused: 'no_such_address' };
      return {
        seats: members.map(({ id }) => ({ viewer: id, waiting: false })),
        news: members.flatMap((member) => (seated.has(member.id) ? [] : welcome(after, member))),
      };
    },
    current: (id) => groupForHomes(context, id),
    comesBack: true,
  });
}

/** So many addresses of before are looked up at most. */
const mostMoved = 20;

/** Whether a state names a person of this home; that home may know one who had a seat by an address of before. */
async function namedIn(
  { people }: Pick<Deps, 'people'>,
  { members }: Group,
  said: ReadonlyMap<string, PersonFacts>,
  seated: ReadonlySet<string>,
): Promise<(person: PersonFacts) => boolean> {
  const told = new Set(members.flatMap(({ person }) => person?.address ?? []));
  const known = new Set([...said.values()].map(addressOf));
  const isMissed = [...said.values()].some((person) => seated.has(person.id) && !told.has(addressOf(person)));
  const unknown = [...told].filter((address) => address.startsWith('@') && !known.has(address));
  const moved = await Promise.all(
    (isMissed ? unknown.slice(0, mostMoved) : []).map((address) => people.resolve(address, anonymous)),
  );
  const ids = new Set(moved.flatMap((person) => person?.id ?? []));
  return (person) => told.has(addressOf(person)) || ids.has(person.id);
}

/** Tells a person that they are in a group now: an organizer there may have let them in later. */
function welcome(
  { id, message }: Copy<typeof GroupSchema>,
  person: Pick<PersonFacts, 'id' | 'app'>,
): Announcement {
  const title = `You are in ${message.name} now`;
  return personNotified(person, '', { title, body: message.address, link: '/', kind: 'invite', item: id });
}

/** A group (uuid) as the homes of its members are told of it; null for one that there is not. */
async function groupForHomes(
  { clock, database, people }: Deps,
  id: string,
): Promise<OutgoingState<typeof GroupSchema> | null> {
  const [group] = await findGroups(database.db, [id], []);
  if (group === undefined) return null;
  const rows = await listTold(database.db, id, mostTold);
  const facts = await people.everywhere.find(rows.map(({ person }) => person));
  const told = rows.flatMap((row) => {
    const person = facts.get(row.person);
    return person === undefined || isMinor(person)
      ? []
      : [{ row, address: addressOf(person), name: person.name, home: person.home }];
  });
  const shown = toGroup({ ...group, role: null, listed_at: group.created_at }, clock.now());
  const members = told
    .sort((one, other) => one.row.joined_at.getTime() - other.row.joined_at.getTime())
    .map(({ row, address, name }) =>
      create(MemberSchema, {
        person: create(PersonSchema, {
          ...{ id: address, address, name, kind: PersonKind.PERSON, ageBand: AgeBand.ADULT },
        }),
        role: roleOf(row.role),
        joinedAt: timestampFromDate(row.joined_at),
      }),
    );
  return {
    id: printId('grp', id),
    message: create(GroupSchema, { ...shown, members }),
    final: false,
    spare: ['members.joined_at', 'members.person.name'],
    homes: homesOf(told),
  };
}

/** The homes of the members of a group (uuid) who are of another one, with their addresses: of the first hundred. */
export async function findHomes({ database, people }: Omit<Deps, 'clock'>, group: string) {
  const rows = await listTold(database.db, group, mostTold);
  const away = rows.flatMap(({ home, person }) => (home === null ? [] : person));
  const facts = await people.everywhere.find(away);
  return homesOf([...facts.values()].map((person) => ({ home: person.home, address: addressOf(person) })));
}

/** A group of another home as a member of this one sees it. @param viewer their address */
export function showCopy(
  { message }: SeenCopy<typeof GroupSchema>,
  viewer: string,
): MessageShape<typeof GroupSchema> {
  const own = message.members.find(({ person }) => person?.address === viewer);
  return { ...message, members: [], ...(own !== undefined && { yourRole: own.role }) };
}
