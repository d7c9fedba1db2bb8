import { create } from '@bufbuild/protobuf';
import type { HearthError } from '@hearth/errors';
import type { Random } from '@hearth/ids';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { ProfileService } from '@hearth/proto/gateway/v1/profile';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { CallerKind } from '@hearth/proto/options';
import type { ServiceDefinition } from '@hearth/runtime';
import { createWorld, type FakePeers, fake, fakePeers, startService, type World } from '@hearth/testkit';
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

/** Identity as it stands, among fakes of its peers. */
export async function startIdentity({ random, env = {}, beside = [] }: TestIdentityOptions = {}) {
  const world = createWorld();
  const told = createNeighbours(world, () => peers);
  const peers = fakePeers(
    world.groups,
    world.federation,
    fake(MessagesService, { countUnread: async () => told.unread }),
    fake(ApprovalsService, { countWaiting: async () => told.asked }),
    fake(RequestRulesService, {
      findAccepted: async ({ people }) => {
        told.acceptedFor.push(...people);
        return { results: people.map((person) => ({ kinds: world.accepts.get(person) ?? [] })) };
      },
    }),
  );
  const running = await startService([identity, ...beside], {
    peers,
    env: { HEARTH_SITE_URL: siteUrl, ...env },
    logLevel: 'debug',
    ...(random !== undefined && { random }),
  });
  return {
    ...running,
    world,
    /** As the gateway calls it; profiles are served where the gateway's module is beside it. */
    client: { ...running.client(IdentityService), ...running.client(ProfileService) },
    fromMessages: running.client(IdentityService, 'messages'),
    ais: running.client(AisService),
    aisFromGroups: running.client(AisService, 'groups'),
    neighbours: told,
  };
}

type Oldest = { seconds: bigint; nanos: number };

/** The fakes around identity: their answers, and what they were asked. */
function createNeighbours(world: World, peers: () => FakePeers) {
  const acceptedFor: string[] = [];
  const { countWaiting } = ApprovalsService.method;
  return {
    key: world.signer.key,
    accepts: world.accepts,
    acceptedFor,
    unread: { count: 0 } as { count: number; oldest?: Oldest },
    asked: { approvals: 0, requests: 0 } as { approvals: number; requests: number; oldestApproval?: Oldest },
    /** The person and the AI for whom approvals were counted last. */
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
    set signError(error: HearthError | undefined) {
      peers().fail(FederationService.method.sign, error);
    },
    set countError(error: HearthError | undefined) {
      peers().fail(MessagesService.method.countUnread, error);
    },
  };
}

export function aiCaller(uuid: string): Caller {
  return create(CallerSchema, { kind: CallerKind.AI, id: uuid });
}
