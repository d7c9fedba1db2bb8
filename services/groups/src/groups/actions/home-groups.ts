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
import { t } from '@hearth/i18n';
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

/** Copies of remote groups that local people are in, and the state of local groups sent to other homes. */
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
      // A remote home alone cannot make anyone a member: the person must have agreed here.
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

/** How many previous addresses are looked up. */
const mostMoved = 20;

/** Whether the state names a local person. The remote home may still know a seated person by a previous address. */
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

/** Tells a person that they are now a member; a remote organizer may have approved them later. */
function welcome(
  { id, message }: Copy<typeof GroupSchema>,
  person: Pick<PersonFacts, 'id' | 'app'>,
): Announcement {
  const title = t('notices.join.in', { whom: 'you', name: '', group: message.name });
  return personNotified(person, '', { title, body: message.address, link: '/', kind: 'invite', item: id });
}

/** The state of a group (uuid) for its members' homes; null if the group does not exist. */
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

/** Homes and addresses of the group's remote members, among the first hundred members. */
export async function findHomes({ database, people }: Omit<Deps, 'clock'>, group: string) {
  const rows = await listTold(database.db, group, mostTold);
  const away = rows.flatMap(({ home, person }) => (home === null ? [] : person));
  const facts = await people.everywhere.find(away);
  return homesOf([...facts.values()].map((person) => ({ home: person.home, address: addressOf(person) })));
}

/** A remote group as a local member sees it. @param viewer the member's address */
export function showCopy(
  { message }: SeenCopy<typeof GroupSchema>,
  viewer: string,
): MessageShape<typeof GroupSchema> {
  const own = message.members.find(({ person }) => person?.address === viewer);
  return { ...message, members: [], ...(own !== undefined && { yourRole: own.role }) };
}
