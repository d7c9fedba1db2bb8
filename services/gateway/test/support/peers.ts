import type { DescService } from '@bufbuild/protobuf';
import { HearthError } from '@hearth/errors';
import { AiStatus, Via } from '@hearth/proto/common/v1/caller';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { CallerKind, Scope } from '@hearth/proto/options';
import { type Caller, createPushable, type Dispatcher, type Handlers } from '@hearth/rpc';
import { digestOf } from '../../src/credentials/credential.ts';

/** The handlers of a service that a test cares about; the rest answer "not built". */
export type SomeHandlers<S extends DescService> = Partial<Handlers<S>>;

export interface Peers {
  identity?: SomeHandlers<typeof IdentityService>;
  messages?: SomeHandlers<typeof MessagesService>;
  federation?: SomeHandlers<typeof FederationService>;
  /** Handlers of any other services. */
  others?: readonly (readonly [DescService, SomeHandlers<DescService>])[];
  /**
   * Callers by their keys; of an app that acts for somebody by `<key> <whom Svc-Acting-For names>`. A word is the
   * reason for which identity refuses.
   */
  keys?: Record<string, Partial<Caller> | string>;
}

export const aiId = '01900000-0000-7000-8000-000000000001';

/** An AI without an owner, as most of the tests' callers are. */
export const anAi: Partial<Caller> = {
  kind: CallerKind.AI,
  id: aiId,
  address: '@free-abc123.ai-robin',
  name: 'Robin',
  aiStatus: AiStatus.UNCLAIMED,
  scopes: [Scope.READ, Scope.MESSAGE],
  via: Via.API,
};

function fill<S extends DescService>(service: S, some: SomeHandlers<S> = {}): Handlers<S> {
  const notBuilt = () => Promise.reject(new HearthError('not_built', 'not built yet', { code: 'not_built' }));
  const all = Object.fromEntries(service.methods.map((method) => [method.localName, notBuilt]));
  return { ...all, ...some } as Handlers<S>;
}

function resolveFrom(keys: NonNullable<Peers['keys']>): SomeHandlers<typeof IdentityService> {
  const callers = new Map(
    Object.entries(keys).map(([name, caller]) => {
      const [key = '', actingFor = ''] = name.split(' ');
      return [`${digestOf(key)} ${actingFor}`, caller];
    }),
  );
  return {
    resolveCredential: async ({ hash, actingFor }) => {
      const caller = callers.get(`${Buffer.from(hash).toString('base64')} ${actingFor}`);
      if (typeof caller === 'string') return { refusal: caller };
      return caller === undefined ? {} : { caller: caller as Caller };
    },
    noteSeen: async () => ({}),
  };
}

/** Registers services of which a test cares about some handlers. */
export function addOthers(dispatcher: Dispatcher, others: NonNullable<Peers['others']>): void {
  for (const [service, some] of others) dispatcher.add(service, fill(service, some));
}

/** Registers the peers of a gateway; `wake` wakes topics as delivery does. */
export function addPeers(dispatcher: Dispatcher, peers: Peers): { wake(...topics: string[]): void } {
  const streams = new Set<ReturnType<typeof createPushable<{ acknowledged: bigint; woken: string[] }>>>();
  const { keys = { 'key-of-robin': anAi } } = peers;
  dispatcher.add(IdentityService, fill(IdentityService, { ...resolveFrom(keys), ...peers.identity }));
  dispatcher.add(MessagesService, fill(MessagesService, peers.messages));
  dispatcher.add(FederationService, fill(FederationService, peers.federation));
  addOthers(dispatcher, peers.others ?? []);
  dispatcher.add(DeliveryService, {
    sendMail: async () => ({}),
    async *hold(requests) {
      const answers = createPushable<{ acknowledged: bigint; woken: string[] }>();
      streams.add(answers);
      const acknowledge = async () => {
        for await (const { sequence } of requests) answers.push({ acknowledged: sequence, woken: [] });
        answers.end();
      };
      void acknowledge();
      yield* answers;
    },
  });
  return {
    wake(...topics) {
      for (const stream of streams) stream.push({ acknowledged: 0n, woken: topics });
    },
  };
}
