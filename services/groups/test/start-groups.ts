import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import {
  ApprovalsService,
  type AskJoinRequest,
  type SettleJoinRequest,
} from '@hearth/proto/approvals/v1/approvals';
import {
  ItemSourceService,
  ItemsService,
  type ItemView,
  type MoveItemsRequestSchema,
} from '@hearth/proto/approvals/v1/items';
import { type Reach, RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { Event, Item, ItemKey } from '@hearth/proto/events/v1/events';
import { HomeItemsService } from '@hearth/proto/federation/v1/items';
import { WaitingThingsService } from '@hearth/proto/federation/v1/waiting_things';
import { type Group, GroupsService } from '@hearth/proto/groups/v1/groups';
import { type Invite, InvitesService } from '@hearth/proto/groups/v1/invites';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService, type PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Client } from '@hearth/rpc';
import {
  asAnonymous,
  asPerson,
  calledBy,
  createWorld,
  fake,
  fakePeers,
  ids,
  startService,
} from '@hearth/testkit';
import { bandOfBirth } from '../src/invites/domain/guest-age.ts';
import { groups } from '../src/service.ts';
import { ageBandName } from '../src/shared/domain/enum-names.ts';

export {
  asAnonymous as anyoneFrom,
  asApp as appAlone,
  everyPage,
  failure,
  follows,
  operator,
  textOf,
} from '@hearth/testkit';
export const { ADULT, TEEN16, TEEN13, CHILD } = AgeBand;

/** Groups on its own database, called through the real dispatcher; identity knows the people that a test makes. */
export async function startGroups(env: Record<string, string> = {}) {
  const app = ids.uuid();
  const world = createWorld({ person: { app, timeZone: 'Europe/Zurich', consentAge: 16 } });
  /** The fake approvals and its calls. `reach` is keyed by the recipient's uuid or email address. */
  const approvals = {
    reach: world.reach,
    reaches: [] as Reach[],
    asked: [] as AskJoinRequest[],
    settled: [] as SettleJoinRequest[],
    cancelled: [] as string[],
  };
  const items = notedItems();
  /** `<owner> <other>`: the owner has written to the other. */
  const contacts = new Set<string>();
  let guests = 0;
  let named = 0;
  const peers = fakePeers(
    world.identity,
    world.federation,
    fake(MessagesService, {
      knowsParty: async ({ owners, others }) => ({
        known: owners.some((owner) => others.some((other) => contacts.has(`${owner} ${other}`))),
      }),
    }),
    fake(AisService, { ensureGroupAi: async ({ handle }) => ({ address: `&${handle}.ai-group` }) }),
    fake(PeopleService, {
      async createGuest({ id, name, app, birthYearMonth }) {
        guests += 1;
        const ageBand = bandOfBirth(birthYearMonth, new Date('2026-03-01T12:00:00Z'));
        const facts = world.newPerson({ id, handle: `guest-${guests}`, name, app, guest: true, ageBand });
        return { facts, sessionToken: `hearth_ps_${'x'.repeat(43)}` };
      },
    }),
    world.approvals,
    fake(ItemsService, {
      async noteItems({ change }) {
        items.note(change?.placed ?? [], change?.closed ?? []);
        return {};
      },
    }),
    fake(RequestRulesService, {
      async checkReach({ reaches }) {
        approvals.reaches.push(...reaches);
        const usual = ({ recipientEmail }: Reach) => ({ how: recipientEmail === '' ? 'inbox' : 'mail' });
        return {
          reached: reaches.map(
            (reach) => world.reach.get(reach.recipientEmail || reach.recipient) ?? usual(reach),
          ),
        };
      },
    }),
    fake(ApprovalsService, {
      async askJoin(request) {
        approvals.asked.push(request);
        return {};
      },
      async settleJoin(request) {
        approvals.settled.push(request);
        return {};
      },
      async cancelJoin({ id }) {
        approvals.cancelled.push(id);
        return {};
      },
    }),
  );
  const home = await startService([groups], { peers, env });
  const client = { ...home.client(GroupsService), ...home.client(InvitesService) };
  const sends = home.client(SendSourceService, 'delivery', 'groups');
  const source = home.client(ItemSourceService, 'approvals', 'groups');
  /** All calls on behalf of that caller; a person calls through the app that holds them. */
  const by = (who: Caller | PersonFacts) => calledBy({ ...client, ...source }, 'kind' in who ? who : as(who));
  const newGroup = (organizer: PersonFacts, fields: object = {}): Promise<Group> =>
    by(as(organizer, organizer.app || app)).createGroup({ name: 'Book club', ...fields });
  /** Puts a person into a group, bypassing all rules. */
  const put = (
    group: Group,
    { id, ageBand, app }: PersonFacts,
    role = 'member',
    guardian: string | null = null,
  ) =>
    home.run(sql`
      insert into groups.members ("group", person, role, joined_at, via, age_band, app, guardian)
      values (${uuidOf(group.id)}, ${id}, ${role}, ${new Date(home.clock.now())}, 'link', ${ageBandName(ageBand)},
        ${app || null}, ${guardian})`);
  /** A group with Ada as its first organizer and the named people as members. */
  async function club({ members = [], organizers = [], ...fields }: Club = {}) {
    const people = cast(world.newPerson);
    const group = await newGroup(people.ada, fields);
    for (const name of members) await put(group, people[name]);
    for (const name of organizers) await put(group, people[name], 'organizer');
    return { group, ...people };
  }
  const keysOf = (id: string) => [{ kind: 'invite', id, part: items.find(id)?.key?.part ?? 0 }];
  /** That group's events in the order of seq, or all events. */
  async function events(group?: Group): Promise<Event[]> {
    const all = await home.events('groups');
    if (group === undefined) return all;
    const own = all.filter((event) => dataOf(event).group?.id === uuidOf(group.id));
    // Ids made within the same millisecond are unordered.
    return own.sort((one, other) => Number((dataOf(one).seq ?? 0n) - (dataOf(other).seq ?? 0n)));
  }
  return {
    ...home,
    /** A service's events, as every test service exposes them. */
    announced: home.events,
    ...{ world, peers, approvals, app, contacts, client, by, source, items, newGroup, put },
    club,
    /** A group and the code of an invite into it, by Ada. */
    async invited(wanted?: Club, link: object = {}) {
      const made = await club(wanted);
      const { code } = await by(made.ada).createInvite({ id: made.group.id, ...link });
      return { ...made, code: code! };
    },
    /** A unique name that finds the notices about a group. */
    newName() {
      named += 1;
      return `Group no. ${named}.`;
    },
    ...invitesOf(by),
    /** Accepts an invite (uuid) that waits in the requests. */
    acceptItem: (caller: Caller, id: string, note = '') => by(caller).acceptItem({ keys: keysOf(id), note }),
    declineItem: (caller: Caller, id: string, fields: { note?: string; silent?: boolean } = {}) =>
      by(caller).declineItem({ keys: keysOf(id), ...fields }),
    passItem: (caller: Caller, id: string, note = '') => by(caller).passItem({ keys: keysOf(id), note }),
    keysOf,
    /** Moves an invite (uuid) as the owner of the items does. */
    async move(id: string, to: MessageInitShape<typeof MoveItemsRequestSchema>['to']) {
      const { change } = await source.moveItems({ keys: [items.find(id)!.key!], to });
      items.note(change!.placed, change!.closed, true);
    },
    /** The mails of invites (uuids) as delivery would send them now; null for a mail that may not be sent. */
    async prepare(...ids: string[]) {
      const asked = ids.map((id) => ({ kind: 'invite_mail', id }));
      const prepared = (await sends.prepareSends({ sends: asked })).sends;
      return prepared.map(({ content }) => (content.case === 'mail' ? content.value : null));
    },
    /** The invites among a caller's requests. */
    async waiting(caller: Caller): Promise<ItemView[]> {
      const keys = items.seenBy(caller).flatMap(({ key }) => key ?? []);
      return (await by(caller).showItems({ keys })).items;
    },
    fromFederation: home.client(HomeItemsService, 'federation', 'groups'),
    fromApprovals: home.client(WaitingThingsService, 'approvals', 'groups'),
    fromIdentity: home.client(GroupsService, 'identity'),
    fromMessages: home.client(GroupsService, 'messages'),
    fromDecisions: home.client(GroupsService, 'decisions'),
    uuid: ids.uuid,
    newPerson: world.newPerson,
    /** Settles a join request's approval (uuid) in the approvals service. */
    async settle(approval: string, status: string, by?: PersonFacts, note = '', nothing = '') {
      const answer = {
        approval: printId('apr', approval),
        status,
        answeredBy: by?.id ?? '',
        note,
        void: nothing,
      };
      await home.publish({ case: 'approvalSettled', value: { ...answer, kind: 'join_request' } });
    },
    async changePerson(person: PersonFacts, facts: Partial<PersonFacts>) {
      world.changePerson(person, facts);
      await home.publish({ case: 'personChanged', value: { person: { id: person.id } } });
    },
    async deletePerson(person: PersonFacts) {
      world.deletePerson(person);
      await home.publish({ case: 'accountDeleted', value: { deleted: [person.id] } });
    },
    events,
    /** The cases of the group's events. */
    happened: async (group: Group) => (await events(group)).map(({ data }) => data.case as string),
    /** The notices with that text in their title, newest last. */
    async notices(about: string) {
      return (await events()).flatMap(({ data }) => {
        if (data.case !== 'personNotified' || !data.value.title.includes(about)) return [];
        const { person, kind, title, about: child } = data.value;
        return [{ person, kind, title, about: child }];
      });
    },
    async membersOf(group: Group) {
      const rows = await home.database.db.query<{ person: string }>(
        sql`select person from groups.members where "group" = ${uuidOf(group.id)} order by joined_at, person`,
      );
      return rows.map(({ person }) => person);
    },
    archiveEnded: () => home.runJob('groups: archive-ended'),
    async expireInvites() {
      await home.runJob('groups: expire-invites');
      await home.runJob('groups: purge-invites');
    },
  };
}

const names = ['ada', 'ben', 'cleo', 'cyd', 'dan', 'eve', 'gus', 'gwen', 'joiner', 'lone', 'bob'] as const;
type Name = (typeof names)[number];

/** Members and organizers besides Ada, and the group's fields. */
interface Club {
  [field: string]: unknown;
  members?: Name[];
  organizers?: Name[];
}

const cast = (newPerson: () => PersonFacts) =>
  Object.fromEntries(names.map((name) => [name, newPerson()])) as Record<Name, PersonFacts>;

type Calls = (who: Caller | PersonFacts) => Client<typeof InvitesService>;

/** The most frequent calls of the invite tests. */
function invitesOf(by: Calls) {
  return {
    invite: (organizer: PersonFacts, group: Group, fields: object = {}): Promise<Invite> =>
      by(organizer).createInvite({ id: group.id, ...fields }),
    accept: (person: PersonFacts, code: string, fields: object = {}) =>
      by(onPages(person)).acceptInvite({ code, ...fields }),
    peek: (code: string, caller = asAnonymous('192.0.2.0/24')) => by(caller).peekInvite({ code }),
    review: (organizer: PersonFacts, code: string, decision: number, fields: object = {}) =>
      by(onPages(organizer)).reviewInvite({ code, decision, ...fields }),
    list: (organizer: PersonFacts, group: Group, fields: object = {}) =>
      by(organizer).listInvites({ id: group.id, ...fields }),
  };
}

/** The items as their owner stores them: a closed item stays closed. */
function notedItems() {
  const all = new Map<string, Item | null>();
  const nameOf = ({ id, part }: ItemKey) => `${id} ${part}`;
  return {
    note(placed: readonly Item[], closed: readonly ItemKey[], moved = false) {
      for (const item of placed) if (moved || !all.has(nameOf(item.key!))) all.set(nameOf(item.key!), item);
      for (const key of closed) all.set(nameOf(key), null);
    },
    seenBy: ({ id, person }: Caller): Item[] =>
      [...all.values()].filter(
        (item): item is Item =>
          item !== null && (item.holder === '' ? item.owner === (person || id) : item.holder === id),
      ),
    /** The item of a pending invite. */
    find: (id: string) => [...all.values()].find((item) => item?.key?.id === id),
  };
}

function dataOf({ data }: Event): { group?: { id: string }; seq?: bigint } {
  return data.value as object;
}

export function uuidOf(printed: string): string {
  const hex = printed.slice(printed.indexOf('_') + 1);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const per = (person: PersonFacts): string => printId('per', person.id);

/** A person calling through their app; with an empty `app`, signed in on the home's own pages. */
export const as = (person: PersonFacts, app = person.app): Caller => asPerson(person, { app });

/** A person on the home's own pages. */
export const onPages = (person: PersonFacts, network = '198.51.100.0/24'): Caller =>
  asPerson(person, { app: '', network });

const scopes = [Scope.READ, Scope.NOTES, Scope.MESSAGE, Scope.GROUP, Scope.INVITE, Scope.APPROVE];
const ai = { kind: CallerKind.AI, scopes, via: Via.API };

/** That person's AI. */
export function aiOf(person: PersonFacts, id: string): Caller {
  const address = `@${person.handle}.ai-helper`;
  return create(CallerSchema, { ...ai, id, person: person.id, address, name: 'Helper' });
}

export function groupAi(group: Group): Caller {
  return create(CallerSchema, { ...ai, id: uuidOf(group.groupAi), group: uuidOf(group.id) });
}
