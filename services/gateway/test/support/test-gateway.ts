import type { DescService } from '@bufbuild/protobuf';
import { type ManualClock, manualClock, systemClock } from '@hearth/clock';
import { HearthError } from '@hearth/errors';
import { BatchService } from '@hearth/proto/batch/v1/batch';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { GatewayService } from '@hearth/proto/gateway/v1/gateway';
import { ProfileService } from '@hearth/proto/gateway/v1/profile';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { services } from '@hearth/proto/services';
import type { Handlers } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { LogLevel } from '@hearth/telemetry';
import { fake, fakePeers, startService } from '@hearth/testkit';
import { startGateway } from '../../src/service.ts';
import { anAi, createWakes, type Keys, resolveFrom } from './peers.ts';

export interface TestGatewayOptions {
  keys?: Keys;
  /** Handlers of services; others answer "not built". */
  fakes?: readonly ReturnType<typeof fake>[];
  identity?: Partial<Handlers<typeof IdentityService>>;
  /** Replaces the gateway's own module. */
  profile?: Partial<Handlers<typeof ProfileService>>;
  messages?: Partial<Handlers<typeof MessagesService>>;
  federation?: Partial<Handlers<typeof FederationService>>;
  env?: Record<string, string>;
  /** By default stands still at the present. */
  clock?: ManualClock;
  ready?: Host['ready'];
  logLevel?: LogLevel;
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

export const operatorKey = 'the-operators-key-of-the-tests';

/** Served by the gateway itself, and by the runtime. */
const own = new Set<DescService>([GatewayService, ProfileService, BatchService]);

const notBuilt = () => Promise.reject(new HearthError('not_built', 'not built yet', { code: 'not_built' }));

function notBuiltYet(service: DescService) {
  const handlers = service.methods.map(({ localName }) => [localName, notBuilt]);
  return fake(service, Object.fromEntries(handlers));
}

/** A complete gateway, with small handlers as its peers. */
export async function startTestGateway(options: TestGatewayOptions = {}) {
  const { keys = { 'key-of-robin': anAi }, fakes = [], env = {}, ready, logLevel = 'info' } = options;
  const wakes = createWakes();
  const peers = fakePeers(
    services.filter((service) => !own.has(service)).map(notBuiltYet),
    fake(IdentityService, { ...resolveFrom(keys), ...options.identity }),
    fake(MessagesService, { ...options.messages }),
    fake(FederationService, { ...options.federation }),
    fake(DeliveryService, wakes.handlers),
    fakes,
  );
  let port = 0;
  const gateway = {
    name: 'gateway' as const,
    async start(host: Host) {
      const given: Host = ready === undefined ? host : Object.assign(Object.create(host), { ready });
      port = (await startGateway(given)).port;
      const { handlers } = notBuiltYet(ProfileService);
      host.serve(ProfileService, { ...handlers(host), ...options.profile } as Handlers<
        typeof ProfileService
      >);
    },
  };
  const home = await startService([gateway], {
    peers,
    clock: options.clock ?? manualClock(new Date(systemClock.now()).toISOString()),
    env: {
      ...{
        PORT: '0',
        HEARTH_BIND: '127.0.0.1',
        HEARTH_HOME: 'localhost:8080',
        HEARTH_OPERATOR_KEY: operatorKey,
      },
      ...env,
    },
    logLevel,
  });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= home.stop());
  return { ...home, url: `http://127.0.0.1:${port}`, port, wake: wakes.wake, stop };
}
