import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { HearthError } from '@hearth/errors';
import type { Random } from '@hearth/ids';
import { shieldId } from '@hearth/people';
import { type ApprovalSchema, ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { ProfileService } from '@hearth/proto/gateway/v1/profile';
import { type DropPersonResponseSchema, GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { FeedbackService } from '@hearth/proto/identity/v1/feedback';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { NotesService } from '@hearth/proto/identity/v1/notes';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import { type ListContactsResponseSchema, MessagesService } from '@hearth/proto/messages/v1/messages';
import { CallerKind } from '@hearth/proto/options';
import type { ServiceDefinition } from '@hearth/runtime';
import {
  calledBy,
  createWorld,
  type EventCase,
  type FakePeers,
  fake,
  fakePeers,
  startService,
  type TestService,
  type World,
} from '@hearth/testkit';
import { identity } from '../src/service.ts';

export { asAnonymous as anyoneFrom, operator } from '@hearth/testkit';

export const home = 'hearth.example';
export const siteUrl = 'https://hearth.example';

export type TestIdentity = Awaited<ReturnType<typeof startIdentity>>;

export interface TestIdentityOptions {
  random?: Random;
  env?: Record<string, string>;
  /** Other real services. */
  beside?: readonly ServiceDefinition[];
}

/** The real identity service among fakes of its peers. */
export async function startIdentity({ random, env = {}, beside = [] }: TestIdentityOptions = {}) {
  const world = createWorld();
  const neighbours = createNeighbours(world, () => peers);
  const peers = fakePeers(
    world.groups,
    world.federation,
    world.delivery,
    world.approvals,
    fake(GroupsService, { dropPerson: async ({ person }) => neighbours.drops.get(person) ?? {} }),
    fake(MessagesService, {
      countUnread: async () => neighbours.unread,
      listContacts: async ({ owner }) => neighbours.contactsOf.get(owner) ?? {},
    }),
    fake(DecisionsService, { countWaiting: async () => ({}) }),
    fake(ApprovalsService, {
      countWaiting: async () => neighbours.asked,
      listAnsweredFor: async ({ child }) => ({ approvals: neighbours.answeredFor.get(child) ?? [] }),
    }),
  );
  const running = await startService([identity, ...beside], {
    peers,
    env: {
      HEARTH_SITE_URL: siteUrl,
      HEARTH_TIME_ZONE: 'Europe/Zurich',
      HEARTH_CONSENT_AGES: '{"default":16,"US":13,"AT":14}',
      ...env,
    },
    logLevel: 'debug',
    ...(random !== undefined && { random }),
  });
  const client = clientOf(running, 'gateway');
  return {
    ...running,
    world,
    peers,
    neighbours,
    /** Calls as the gateway; profiles are served if the gateway's module runs too. */
    client,
    fromMessages: clientOf(running, 'messages'),
    fromGroups: clientOf(running, 'groups'),
    fromDelivery: {
      ...clientOf(running, 'delivery'),
      ...running.client(SendSourceService, 'delivery', 'identity'),
    },
    /** The gateway's calls on behalf of that caller. */
    by: (who: Caller | { caller: Caller }) => calledBy(client, 'caller' in who ? who.caller : who),
    /** The events of that type since the start, oldest first. */
    announced: <Case extends EventCase>(type: Case) => running.events('identity', type),
    /** The id under which that viewer (uuid) knows a minor. */
    shieldedFor: (viewer: string, person: string) => shieldId(running.sealer, viewer, person),
    /** uuids received with the signals. */
    signalled: { people: running.signals('people'), credentials: running.signals('credentials') },
  };
}

/** All of identity's rpcs, called as that service. */
function clientOf({ client }: TestService, as: string) {
  return {
    ...client(IdentityService, as),
    ...client(AisService, as),
    ...client(AppsService, as),
    ...client(FeedbackService, as),
    ...client(NotesService, as),
    ...client(OAuthService, as),
    ...client(PeopleService, as),
    ...client(SignInService, as),
    ...client(ProfileService, as),
  };
}

type Oldest = { seconds: bigint; nanos: number };

/** The answers of the fakes around identity, and the calls to them. */
function createNeighbours(world: World, peers: () => FakePeers) {
  const { countWaiting } = ApprovalsService.method;
  return {
    keys: world.signer.keys,
    accepts: world.accepts,
    /** DropPerson's answer for each person. */
    drops: new Map<string, MessageInitShape<typeof DropPersonResponseSchema>>(),
    answeredFor: new Map<string, MessageInitShape<typeof ApprovalSchema>[]>(),
    contactsOf: new Map<string, MessageInitShape<typeof ListContactsResponseSchema>>(),
    unread: { count: 0 } as { count: number; oldest?: Oldest },
    asked: { approvals: 0, requests: 0 } as { approvals: number; requests: number; oldestApproval?: Oldest },
    /** The people whose accepted kinds were requested. */
    get acceptedFor() {
      return peers()
        .requestsOf(RequestRulesService.method.findAccepted)
        .flatMap(({ people }) => people);
    },
    /** The last person and AI whose approvals were counted. */
    get countedFor() {
      const last = peers().requestsOf(countWaiting).at(-1);
      return last && { owner: last.owner, person: last.person };
    },
    get signed() {
      return peers().requestsOf(FederationService.method.sign).length;
    },
    get groupQuestions() {
      return peers().calls.filter(({ service }) => service === 'groups').length;
    },
    get mails() {
      return peers().requestsOf(DeliveryService.method.sendMail);
    },
    set signError(error: HearthError | undefined) {
      peers().fail(FederationService.method.sign, error);
    },
    set countError(error: HearthError | undefined) {
      peers().fail(MessagesService.method.countUnread, error);
    },
    set mailError(error: HearthError | undefined) {
      peers().fail(DeliveryService.method.sendMail, error);
    },
  };
}

export function aiCaller(uuid: string): Caller {
  return create(CallerSchema, { kind: CallerKind.AI, id: uuid });
}

/** Why a call failed: its kind and code. */
export async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    const { kind, details } = error as HearthError;
    return `${kind} ${details?.code}`;
  }
}

/** The message with which a call fails. */
export async function words(call: Promise<unknown>): Promise<string> {
  return await call.then(
    () => '',
    ({ message }: Error) => message,
  );
}
