import { type DescService, getOption } from '@bufbuild/protobuf';
import { day, hour } from '@hearth/clock';
import { type HomeConfig, isOwnSetting, type OwnSetting, type OwnSettings } from '@hearth/config';
import { inBatches } from '@hearth/db';
import { internal, isHearthError } from '@hearth/errors';
import { createIdempotency, type Idempotency } from '@hearth/idempotency';
import { sizeOf } from '@hearth/limits';
import { type Commit, createCommit, createOutbox, type RunningOutbox, recordLags } from '@hearth/outbox';
import { createPeople, type People } from '@hearth/people';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { internal as internalOption } from '@hearth/proto/options';
import type { Channel } from '@hearth/rpc';
import { type Client, createClient, createLocalChannel, type Dispatcher } from '@hearth/rpc';
import type { Consumer } from './consume.ts';
import type { Jobs } from './jobs.ts';
import { createPlaces } from './keep-order.ts';
import { loadRpcs } from './load-rpcs.ts';
import type { Readiness } from './readiness.ts';
import type { Releases } from './releases.ts';
import type { RunningSeals } from './seals.ts';
import type { Host } from './service.ts';
import { type ServiceName, serviceNames } from './service-names.ts';

type Shared = Pick<
  Host,
  | 'limits'
  | 'limiter'
  | 'clock'
  | 'random'
  | 'ids'
  | 'log'
  | 'database'
  | 'bus'
  | 'cache'
  | 'sealer'
  | 'homeNames'
  | 'languages'
  | 'http'
>;

/** The parts shared by the hosts of all services of a process. */
export interface HomeContext extends Shared {
  config: HomeConfig;
  /** Undefined in a process that runs the whole home. */
  grpc: typeof import('@hearth/rpc/grpc') | undefined;
  dispatcher: Dispatcher;
  jobs: Jobs;
  local: readonly ServiceName[];
  seals: RunningSeals;
  releases: Releases;
}

export interface Hosts {
  readonly consumers: Consumer[];
  readonly checks: Map<string, () => Promise<void>>;
  readonly peers: ReadonlyMap<ServiceName, Channel>;
  /** Asks every reachable peer whether it accepts this process's calls. */
  introduce(): Promise<void>;
  hostOf(name: ServiceName, ready: () => Promise<Readiness>): Host;
  onDrain(work: () => Promise<void>): void;
  drain(): Promise<void>;
}

const purgeBatch = 1_000;
/** A start does not wait for unreachable peers. */
const introductionMs = 1_000;

/** Creates the host of each service of this process. */
export function createHosts(context: HomeContext): Hosts {
  const { config, clock, dispatcher, jobs, local, releases, log } = context;
  const consumers: Consumer[] = [];
  const checks = new Map<string, () => Promise<void>>();
  const drains: (() => Promise<void>)[] = [];
  const peers = new Map<ServiceName, Channel>();
  const here = createLocalChannel(dispatcher, clock.now);
  let people: People | undefined;
  const outboxes: ServiceName[] = [];

  /** Peers are connected on first use, so that services can start in any order. */
  function channelTo(name: ServiceName): Channel {
    if (local.includes(name)) return here;
    const known = peers.get(name);
    if (known !== undefined) return known;
    const channel = openChannel(name);
    peers.set(name, channel);
    releases.push(`the way to ${name}`, () => channel.close());
    return channel;
  }

  function openChannel(name: ServiceName): Channel {
    const address = config.peers[name as keyof typeof config.peers];
    if (address === undefined) throw internal(`PEER_${name.toUpperCase()} is not given`);
    const { tls } = config;
    const secret = config.peerSecret!.reveal();
    return context.grpc!.createRemoteChannel({
      ...{ address, peer: name, service: local[0]!, secret, tls, clock },
      onRefused: (words) => log.error(`${name} ${words}`),
    });
  }

  async function introduceTo(name: ServiceName): Promise<void> {
    const channel = openChannel(name);
    try {
      await channel.ready(introductionMs);
    } catch (error) {
      if (isHearthError(error) && error.kind === 'unauthenticated')
        throw internal(`${name} ${error.message}`);
    } finally {
      await channel.close();
    }
  }

  function outboxOf(name: ServiceName): RunningOutbox {
    const { database, bus, ids } = context;
    const outbox = createOutbox({ database, schema: name, bus, clock, ids, log });
    jobs.whenDue(`${name}: outbox sweep`, 2_000, outbox.sweepDue, outbox.sweep);
    jobs.whenDue(`${name}: outbox purge`, 60_000, outbox.purgeDue, outbox.purge);
    if (outboxes.length === 0) jobs.every('outbox lag', 15_000, () => recordLags(database, outboxes));
    outboxes.push(name);
    drains.push(outbox.drain);
    return outbox;
  }

  /** One per process, which calls as one of its services that may: identity knows people by its tables. */
  function sharedPeople(): People {
    if (people !== undefined) return people;
    const { bus, sealer } = context;
    const { callers } = getOption(PeopleService.method.findPeople, internalOption);
    const service = local.find((name) => callers.includes(name)) ?? local[0]!;
    const identity = createClient(PeopleService, { channel: channelTo('identity'), service, clock });
    people = createPeople({ identity, bus, clock, sealer });
    return people;
  }

  function idempotencyOf(name: ServiceName, table: string): Idempotency<unknown> {
    const { database, limits } = context;
    const idempotency = createIdempotency({
      database,
      table: `${name}.${table}`,
      clock,
      keptForMs: sizeOf(limits, 'request_id_days') * day,
    });
    jobs.every(`${name}: purge-${table.replaceAll('_', '-')}`, hour, () => idempotency.purge());
    return idempotency;
  }

  function hostOf(name: ServiceName, ready: () => Promise<Readiness>): Host {
    let outbox: RunningOutbox | undefined;
    let commit: Commit | undefined;
    const ownOutbox = () => {
      outbox ??= outboxOf(name);
      return outbox;
    };
    const tables = new Map<string, Idempotency<unknown>>();
    const { database, bus, ids } = context;
    const { dispatcher: _dispatcher, jobs: _jobs, local: _local, releases: _releases, ...shared } = context;
    const own = <Name extends OwnSetting>(setting: Name): OwnSettings[Name] => {
      if (!isOwnSetting(name, setting)) throw internal(`${setting} is no setting of ${name}`);
      // A start generates the operator key for the service that reads it (data-folder.ts).
      return config[setting] as OwnSettings[Name];
    };
    return {
      ...shared,
      log: log.child({ part: name }),
      own,
      get outbox() {
        return ownOutbox();
      },
      get commit() {
        commit ??= createCommit({ database, bus, ids, outbox: ownOutbox() });
        return commit;
      },
      get people() {
        return sharedPeople();
      },
      idempotency: <Result>(table = 'requests') => {
        const made = tables.get(table) ?? idempotencyOf(name, table);
        tables.set(table, made);
        return made as Idempotency<Result>;
      },
      serveRpcs: async (service, module, context) =>
        dispatcher.add(service, await loadRpcs(service, module, context), name),
      ready,
      serve: (service, handlers) => dispatcher.add(service, handlers, name),
      peer: <S extends DescService>(peer: ServiceName, service: S): Client<S> =>
        createClient(service, { channel: channelTo(peer), service: name, peer, clock }),
      consume({ durable: own, inOrder = false, ...consumer }) {
        const durable = `${name}-${own}`;
        const places = inOrder && { places: createPlaces(context, name, durable) };
        consumers.push({ durable, ...consumer, ...places });
      },
      every: (job, milliseconds, work) => jobs.every(`${name}: ${job}`, milliseconds, work),
      whenDue: (job, milliseconds, next, work) => jobs.whenDue(`${name}: ${job}`, milliseconds, next, work),
      purge: (job, ...steps) =>
        jobs.every(`${name}: ${job}`, hour, async () => {
          for (const [keptMs, remove] of steps) {
            const before = new Date(clock.now() - keptMs);
            await inBatches(context.database, purgeBatch, (tx, size) => remove(tx, before, size));
          }
        }),
      readyWhen: (check, run) => checks.set(`${name}: ${check}`, run),
      sealed: (...columns) => context.seals.add(name, columns),
      onDrain: (work) => drains.push(work),
      onStop: (work) => releases.push(name, work),
    };
  }

  return {
    consumers,
    checks,
    peers,
    introduce: async () => {
      if (context.grpc === undefined) return;
      const others = serviceNames.filter((name) => name !== 'gateway' && !local.includes(name));
      await Promise.all(others.map(introduceTo));
    },
    hostOf,
    onDrain: (work) => drains.push(work),
    async drain() {
      // Last in, first out: the services that accept requests registered last and must drain first.
      for (let work = drains.pop(); work !== undefined; work = drains.pop()) {
        await work().catch((err: unknown) => log.error({ err }, 'a drain failed'));
      }
    },
  };
}
