import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { HearthError } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { ApprovalsService, type AskApprovalRequestSchema } from '@hearth/proto/approvals/v1/approvals';
import { ItemsService, ItemViewSchema } from '@hearth/proto/approvals/v1/items';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { type PreparedMail, SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import { type Event, ItemSchema } from '@hearth/proto/events/v1/events';
import { HomeItemsService } from '@hearth/proto/federation/v1/items';
import { WaitingThingsService } from '@hearth/proto/federation/v1/waiting_things';
import type { PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Scope } from '@hearth/proto/options';
import { anonymous } from '@hearth/rpc';
import {
  asPerson,
  calledBy,
  createWorld,
  type EventCase,
  fake,
  fakePeers,
  ids,
  startService,
} from '@hearth/testkit';
import { expect } from '@jest/globals';
import { approvals } from '../src/service.ts';
import { waitingElsewhere } from './waiting-elsewhere.ts';

export const { ADULT, TEEN16, TEEN13, CHILD } = AgeBand;

type ValueOf<Case extends EventCase> = Extract<Event['data'], { case: Case }>['value'];

export type TestApprovals = Awaited<ReturnType<typeof startApprovals>>;

/** Starts approvals with the other services played by a test world. */
export async function startApprovals(env: Record<string, string> = {}) {
  /** The app that manages people by default. */
  const app = ids.uuid();
  const world = createWorld({ person: { app } });
  const { waiting, fakes } = waitingElsewhere();
  const elsewhere = (['decisions', 'groups'] as const).map((at) =>
    fake(WaitingThingsService, { listWaitingThings: async () => ({}) }, at),
  );
  const peers = fakePeers(
    world.identity,
    world.groups,
    world.federation,
    world.delivery,
    fakes,
    ...elsewhere,
  );
  const names = { HEARTH_HOME: 'localhost:8080', HEARTH_SITE_URL: 'http://localhost:8080' };
  const home = await startService([approvals], { peers, env: { ...names, ...env } });
  const client = {
    ...home.client(ApprovalsService),
    ...home.client(RequestRulesService),
    ...home.client(RequestsService),
  };
  const by = (who: Who) => calledBy(client, callerOf(who));
  const sends = home.client(SendSourceService, 'delivery', 'approvals');
  const items = home.client(ItemsService, 'messages');
  return {
    ...home,
    app,
    world,
    peers,
    waiting,
    client,
    /** Calls through the gateway as a person or another caller. */
    by,
    fromGateway: home.client(ApprovalsService),
    fromGroups: home.client(ApprovalsService, 'groups'),
    fromDecisions: home.client(ApprovalsService, 'decisions'),
    fromIdentity: home.client(ApprovalsService, 'identity'),
    fromMessages: home.client(RequestRulesService, 'messages'),
    fromFederation: home.client(HomeItemsService, 'federation', 'approvals'),
    items,
    sends,
    /** The mails to an address that delivery would send for the events so far. */
    async mailsTo(address: string): Promise<PreparedMail[]> {
      const refs = (await home.events('approvals')).flatMap(({ data }) => {
        if (data.case !== 'approvalRequested' && data.case !== 'approvalReminded') return [];
        const kind = data.case === 'approvalRequested' ? 'ask_mail' : 'ask_reminder';
        const id = uuidOf(data.value.approval);
        return data.value.mailed.map((part) => ({ kind, id, part }));
      });
      const prepared = (await sends.prepareSends({ sends: refs })).sends;
      const mails = prepared.flatMap(({ content }) => (content.case === 'mail' ? content.value : []));
      return mails.filter(({ to }) => to === address);
    },
    /** Places an item of another service; returns its printed id. */
    async place(
      kind: 'message' | 'invite',
      item: MessageInitShape<typeof ItemSchema>,
      view: MessageInitShape<typeof ItemViewSchema>,
    ): Promise<string> {
      const id = ids.uuid();
      waiting.views.set(id, create(ItemViewSchema, view));
      const usual = { box: 'requests', label: 'other', since: timestampFromMs(home.clock.now()) };
      const placed = create(ItemSchema, { ...usual, ...(item as object), key: { kind, id } });
      waiting.items.set(id, placed);
      await items.noteItems({ change: { placed: [placed] } }, { caller: anonymous });
      return printId(kind === 'message' ? 'msg' : 'inv', id);
    },
    uuid: ids.uuid,
    newPerson: world.newPerson,
    /** An AI of that owner, or without one. */
    newAi(owner?: PersonFacts, facts: Parameters<typeof world.newAi>[1] = {}, fields = {}): Caller {
      return world.asAi(world.newAi(owner, facts), fields);
    },
    /** A guardian and a person under 18, unless the facts say otherwise. */
    newFamily(facts: MessageInitShape<typeof PersonFactsSchema> = {}) {
      const guardian = world.newPerson();
      const child = world.newPerson({ ageBand: CHILD, guardians: [guardian.id], ...facts });
      return { guardian, child };
    },
    newGroup: (...members: PersonFacts[]) => world.newGroup(members).facts,
    /** A group in which every member is an organizer. */
    newBoard(...people: PersonFacts[]) {
      const { facts, organizers } = world.newGroup(people);
      for (const { id } of people) organizers.add(id);
      return facts;
    },
    ask: (who: Who, request: MessageInitShape<typeof AskApprovalRequestSchema>) =>
      by(who).askApproval({ title: 'May I?', ...request }),
    /**
     * The data of all events of this type since the start, oldest first; only those with these fields, if
     * given.
     */
    async announced<Case extends EventCase>(type: Case, fields: Partial<ValueOf<Case>> = {}) {
      const values = (await home.events('approvals', type)).map(
        ({ data }) => (data as Event['data']).value as ValueOf<Case>,
      );
      const wanted = Object.entries(fields) as [keyof ValueOf<Case>, unknown][];
      return values.filter((value) => wanted.every(([name, field]) => value[name] === field));
    },
  };
}

/** A person, calling through the app that manages them, or another caller. */
export type Who = PersonFacts | Caller;

const callerOf = (who: Who): Caller => (who.$typeName === 'hearth.common.v1.Caller' ? who : as(who));

/** Resolves if the call is refused with this kind or code of error. */
export async function refused(call: Promise<unknown>, why: string): Promise<void> {
  const error = await call.then(
    () => ({ kind: 'none', details: undefined }),
    (error: HearthError) => error,
  );
  expect([error.kind, error.details?.code]).toContain(why);
}

export function uuidOf(printed: string): string {
  const hex = printed.slice(printed.indexOf('_') + 1);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The addresses of people. */
export const at = (...people: PersonFacts[]): string[] => people.map(({ handle }) => `@${handle}`);

export const per = (person: PersonFacts): string => printId('per', person.id);

/** A person, calling through the app that manages them; with an empty `app`, on the home's own pages. */
export const as = (person: PersonFacts, app = person.app): Caller => asPerson(person, { app });

/** A response as text, to search it for leaks. */
export const textOf = (answer: unknown): string =>
  JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}` : value));

/** The same AI with more permissions. */
export function withScopes(ai: Caller, ...scopes: Scope[]): Caller {
  return create(CallerSchema, { ...ai, scopes: [...ai.scopes, ...scopes] });
}
