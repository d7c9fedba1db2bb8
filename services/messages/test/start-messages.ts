import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HearthError } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import {
  ItemSourceService,
  ItemsService,
  type ItemView,
  type MoveItemsRequestSchema,
} from '@hearth/proto/approvals/v1/items';
import {
  type Reach,
  type ReachedSchema,
  RequestRulesService,
} from '@hearth/proto/approvals/v1/request_rules';
import { AiStatus, type Caller } from '@hearth/proto/common/v1/caller';
import type { Item, ItemsChanged } from '@hearth/proto/events/v1/events';
import { HomeItemsService } from '@hearth/proto/federation/v1/items';
import type { GroupFactsSchema } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CommonsService } from '@hearth/proto/messages/v1/commons';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { personOf } from '@hearth/rpc';
import {
  asPerson,
  calledBy,
  createWorld,
  type FakeGroup,
  fake,
  fakePeers,
  startService,
} from '@hearth/testkit';
import { messages } from '../src/service.ts';

export type Move = MessageInitShape<typeof MoveItemsRequestSchema>['to'];

export type TestMessages = Awaited<ReturnType<typeof startMessages>>;

/** The real messages service among fakes that know a test's people, AIs and groups. */
export async function startMessages(env: Record<string, string> = {}, clock?: string) {
  const world = createWorld();

  function sharedGroups(one: string, other: string): string[] {
    return [...world.groupsById.values()].flatMap(({ facts, members }) =>
      members.has(one) && members.has(other) ? [facts.id] : [],
    );
  }

  /** Decides as approvals does, by the rules that a test sets. */
  function reachedBy(reach: Reach): MessageInitShape<typeof ReachedSchema> {
    const { sender, senderPerson, recipient, wroteBefore, family, kind } = reach;
    const person = world.people.get(recipient);
    const responsible = senderPerson === '' ? sender : senderPerson;
    const groups = sharedGroups(responsible, recipient);
    const known = family || person?.guardians.includes(responsible) || groups.length > 0;
    const rule = world.reach.get(recipient);
    if (rule?.how === 'turned_away') return { kind, ...rule };
    if (known || (wroteBefore && person !== undefined && !isMinor(person)))
      return { how: 'inbox', kind, groups };
    if (rule !== undefined) return { kind, ...rule };
    return { how: person === undefined || isMinor(person) ? 'turned_away' : 'requests', kind };
  }
  /** The items as requests stores them; null for a closed item. */
  const items = new Map<string, Item | null>();
  function noteItems({ placed, closed }: Pick<ItemsChanged, 'placed' | 'closed'>): void {
    for (const item of placed) if (!items.has(item.key!.id)) items.set(item.key!.id, item);
    for (const { id } of closed) items.set(id, null);
  }
  /** A source sends an item's current state; a closed item stays closed. */
  function writeItems({ placed, closed }: Pick<ItemsChanged, 'placed' | 'closed'>): void {
    for (const item of placed) if (items.get(item.key!.id) !== null) items.set(item.key!.id, item);
    for (const { id } of closed) items.set(id, null);
  }
  const peers = fakePeers(
    world.identity,
    world.groups,
    world.federation,
    fake(ItemsService, {
      async noteItems({ change }) {
        noteItems(change!);
        return {};
      },
    }),
    fake(RequestRulesService, {
      checkReach: async ({ reaches }) => ({ reached: reaches.map(reachedBy) }),
    }),
  );
  const home = await startService([messages], { env, peers, ...(clock !== undefined && { clock }) });
  const client = {
    ...home.client(MessagesService),
    ...home.client(GroupPostsService),
    ...home.client(CommonsService),
  };
  const by = (caller: Caller) => calledBy(client, caller);
  const factsOf = ({ id }: Caller) => world.people.get(id)!;
  const source = home.client(ItemSourceService, 'approvals', 'messages');
  const keysOf = (id: string) => [{ kind: 'message', id: parseId('msg', id) ?? id }];
  let made = 0;

  return {
    ...home,
    world,
    client,
    /** The gateway's calls on behalf of that caller. */
    by,
    asIdentity: home.client(MessagesService, 'identity'),
    asApprovals: home.client(MessagesService, 'approvals'),
    asDecisions: home.client(MessagesService, 'decisions'),
    /** Calls about reported posts, as approvals makes them. */
    groupPostsForApprovals: home.client(GroupPostsService, 'approvals', 'messages'),
    commonsForApprovals: home.client(CommonsService, 'approvals', 'messages'),
    source,
    /** Delivers items of other homes. */
    asFederation: home.client(HomeItemsService, 'federation', 'messages'),
    peers,
    items,
    noteItems,
    /** The caller's pending items, as shown, newest first. */
    async waiting(
      caller: Caller,
    ): Promise<(Omit<Item, '$typeName'> & Omit<ItemView, '$typeName'> & { id: string })[]> {
      const listed = [...items.values()]
        .filter((item) => item !== null)
        .filter(({ holder, owner }) => (holder === '' ? owner === personOf(caller) : holder === caller.id))
        .sort((one, other) => Number(other.since!.seconds - one.since!.seconds));
      const shown = await source.showItems({ keys: listed.map(({ key }) => key!) }, { caller });
      const views = new Map(shown.items.map((view) => [view.key!.id, view]));
      return listed.map((item) => ({ ...item, ...views.get(item.key!.id)!, id: item.key!.id }));
    },
    accept: (by: Caller, id: string, note = '') =>
      source.acceptItem({ keys: keysOf(id), note }, { caller: by }),
    decline: (by: Caller, id: string, more: { note?: string; silent?: boolean } = {}) =>
      source.declineItem({ keys: keysOf(id), ...more }, { caller: by }),
    pass: (by: Caller, id: string) => source.passItem({ keys: keysOf(id) }, { caller: by }),
    async relabel(by: Caller, id: string, label: string): Promise<void> {
      const { change } = await source.relabelItem({ keys: keysOf(id), label }, { caller: by });
      writeItems(change!);
    },
    /** Moves the pending items concerned, as requests does on an event. */
    async moveItems(to: Move, concerned: (item: Item) => boolean): Promise<void> {
      const keys = [...items.values()]
        .filter((item) => item !== null && concerned(item))
        .map((item) => item!.key!);
      const { change } = await source.moveItems({ keys, to });
      writeItems(change!);
    },
    blockedHomes: world.blockedHomes,
    /** Remote parties, by the address at which they were met. */
    parties: world.parties,
    /** By the recipient's uuid: how messages reach them from senders who share no group and never wrote before. */
    rules: world.reach,
    newPerson(name: string, facts: MessageInitShape<typeof PersonFactsSchema> = {}): Caller {
      made += 1;
      const handle = `${name.toLowerCase().replaceAll(' ', '-')}-${made}`;
      return asPerson(world.newPerson({ name, handle, ...facts }), { app: '' });
    },
    /** An AI of that person or group (uuid), or without an owner. */
    newAi(name: string, of: { owner?: Caller; group?: string; address?: string } = {}): Caller {
      const { owner, group = '' } = of;
      made += 1;
      const handle = group !== '' ? `&group-${made}` : (owner?.address ?? `@free-${made + 100_000}`);
      const address = of.address ?? `${handle}.ai-${name}`;
      const status = owner !== undefined || group !== '' ? AiStatus.CLAIMED : AiStatus.UNCLAIMED;
      return world.asAi(world.newAi(owner && factsOf(owner), { name, address, group, status }));
    },
    /** Gives an AI another address; the old one stops working. */
    move(ai: Caller, address: string): Caller {
      world.changeAi(ai, { address });
      return world.asAi(world.ais.get(ai.id)!);
    },
    /** Changes an AI's facts in identity. */
    changeAi: (ai: Caller, facts: Parameters<typeof world.changeAi>[1]) => world.changeAi(ai, facts),
    /** A group of these people. */
    newGroup: (people: Caller[], facts: MessageInitShape<typeof GroupFactsSchema> = {}): FakeGroup =>
      world.newGroup(people.map(factsOf), facts),
    groupAiOf: (group: FakeGroup) => world.asAi(world.newAi(group)),
    /** A person under 18 whose requests wait with their guardian, by default. */
    newFamily(facts: MessageInitShape<typeof PersonFactsSchema> = {}) {
      const parent = this.newPerson('Pat Parent');
      const usual = { ageBand: AgeBand.CHILD, guardians: [parent.id] };
      const child = this.newPerson('Tim Little Berg', { ...usual, ...facts });
      world.reach.set(child.id, { how: 'requests', guardian: parent.id });
      return { parent, child };
    },
    /** The id under which a viewer sees a person under 18. */
    shielded: (child: Caller, viewer: Caller) => world.shieldedFor(viewer, child),
    /** Changes a person's facts in identity; null if the account is gone. */
    change(person: Caller, facts: Partial<PersonFacts> | null): void {
      if (facts === null) world.deletePerson(person);
      else world.changePerson(person, facts);
    },
    /** How many calls groups received. */
    asked: () => peers.calls.filter(({ service }) => service === 'groups').length,
    /** The requested contact checks, in order. */
    reaches: () => peers.requestsOf(RequestRulesService.method.checkReach).flatMap(({ reaches }) => reaches),
    /** The announcements of a message, newest last. */
    async announced(id: string) {
      const events = await home.events('messages', 'messageSent');
      return events.map(({ data }) => data.value).filter(({ messageId }) => messageId === id);
    },
    send: (from: Caller, to: string, text = 'hello', more = {}) =>
      by(from).sendMessage({ to, text, ...more }),
    received: async (reader: Caller, more = {}) => (await by(reader).listMessages(more)).messages,
    unread: async (reader: Caller) => (await by(reader).listMessages({})).unread,
  };
}

/** "code: message" of a failing call. */
export async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    const { details, message } = error as HearthError;
    return `${details.code}: ${message}`;
  }
}

export const turnedAway = 'turned_away: this address does not take messages from you';
