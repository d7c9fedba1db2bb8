import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { ApprovalsService, type AskApprovalRequestSchema } from '@hearth/proto/approvals/v1/approvals';
import { ItemsService, ItemViewSchema } from '@hearth/proto/approvals/v1/items';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { type PreparedMail, SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import { type Event, ItemSchema } from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Scope } from '@hearth/proto/options';
import { anonymous } from '@hearth/rpc';
import { asPerson, createWorld, type EventCase, fakePeers, ids, startService } from '@hearth/testkit';
import { approvals } from '../src/service.ts';
import { waitingElsewhere } from './waiting-elsewhere.ts';

export const { ADULT, TEEN16, TEEN13, CHILD } = AgeBand;

type ValueOf<Case extends EventCase> = Extract<Event['data'], { case: Case }>['value'];

export type TestApprovals = Awaited<ReturnType<typeof startApprovals>>;

/** Approvals in a home whose other services know the test's world. */
export async function startApprovals(env: Record<string, string> = {}) {
  /** Holds people who are made without another app. */
  const app = ids.uuid();
  const world = createWorld({ person: { app } });
  const { waiting, fakes } = waitingElsewhere();
  const peers = fakePeers(world.identity, world.groups, world.federation, fakes);
  const names = { HEARTH_HOME: 'localhost:8080', HEARTH_SITE_URL: 'http://localhost:8080' };
  const home = await startService([approvals], { peers, env: { ...names, ...env } });
  const client = home.client(ApprovalsService);
  const sends = home.client(SendSourceService, 'delivery', 'approvals');
  const items = home.client(ItemsService, 'messages');
  return {
    ...home,
    app,
    world,
    peers,
    waiting,
    client,
    fromGroups: home.client(ApprovalsService, 'groups'),
    fromIdentity: home.client(ApprovalsService, 'identity'),
    rules: home.client(RequestRulesService),
    fromMessages: home.client(RequestRulesService, 'messages'),
    requests: home.client(RequestsService),
    items,
    sends,
    /** The mails to that address which delivery would send by the events so far. */
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
    /** An item of another service begins to wait; its printed id. */
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
    /** An AI without an owner, or one of that person. */
    newAi(owner?: PersonFacts, facts: Parameters<typeof world.newAi>[1] = {}, fields = {}): Caller {
      return world.asAi(world.newAi(owner, facts), fields);
    },
    newGroup: (...members: PersonFacts[]) => world.newGroup(members).facts,
    ask: (caller: Caller, request: MessageInitShape<typeof AskApprovalRequestSchema>) =>
      client.askApproval({ title: 'May I?', ...request }, { caller }),
    async events<Case extends EventCase>(type: Case) {
      const events = await home.events('approvals', type);
      return events.map((event) => ({ event, value: (event as Event).data.value as ValueOf<Case> }));
    },
  };
}

export function uuidOf(printed: string): string {
  const hex = printed.slice(printed.indexOf('_') + 1);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const per = (person: PersonFacts): string => printId('per', person.id);

/** A person, by the app that holds them; `app` empty for one who signed in on the home's own pages. */
export const as = (person: PersonFacts, app = person.app): Caller => asPerson(person, { app });

/** The same AI with more permissions. */
export function withScopes(ai: Caller, ...scopes: Scope[]): Caller {
  return create(CallerSchema, { ...ai, scopes: [...ai.scopes, ...scopes] });
}
