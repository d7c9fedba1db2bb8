import { isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import type { DescService } from '@bufbuild/protobuf';
import type { Bus } from '@hearth/bus';
import { type Clock, systemClock } from '@hearth/clock';
import { type Environment, type HomeConfig, readHomeConfig, Secret } from '@hearth/config';
import { lockFolder } from '@hearth/db';
import { asHearthError } from '@hearth/errors';
import { createGuardedHttp } from '@hearth/guarded-http';
import { createIds, type Random, systemRandom } from '@hearth/ids';
import { createLimiter, readLimits } from '@hearth/limits';
import { type Client, createClient, createDispatcher, createLocalChannel } from '@hearth/rpc';
import type { RpcServer } from '@hearth/rpc/grpc';
import { createLogger, type Logger, startTelemetry } from '@hearth/telemetry';
import { isWhole, rulesFor } from './config-rules.ts';
import { startConsumer } from './consume.ts';
import { homeSecrets } from './data-folder.ts';
import { createHosts, type HomeContext } from './host.ts';
import { createJobs } from './jobs.ts';
import { keepName } from './keep-name.ts';
import { migrateAll } from './migrate-home.ts';
import { openLanguages } from './open-languages.ts';
import { keyPrefix, openParts } from './parts.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { createReleases } from './releases.ts';
import { createSeals } from './seals.ts';
import type { ServiceDefinition } from './service.ts';
import type { ServiceName } from './service-names.ts';
import { startDueTimer } from './start-due-timer.ts';
import { createTellHealth } from './tell-health.ts';
import { createClockWatch } from './watch-clock.ts';

/** Replacements used by tests. */
export interface Overrides {
  clock?: Clock;
  random?: Random;
  log?: Logger;
  /** Ends a start that waits for a server. */
  signal?: AbortSignal;
}

/** A running process of a home, with all or some of its services. */
export interface Home {
  readonly config: HomeConfig;
  /** The gRPC port of this process; undefined if it runs the whole home. */
  readonly grpcPort: number | undefined;
  readonly bus: Bus;
  /** Undefined in a process without the gateway. */
  readonly operatorKey: string | undefined;
  ready(): Promise<Readiness>;
  /**
   * A client of a service in this process, as another service would use it.
   *
   * @param peer the called service, if several serve the same gRPC service
   */
  client<S extends DescService>(service: S, as: string, peer?: ServiceName): Client<S>;
  /** Runs a scheduled job now: "groups: archive-ended". */
  runJob(name: string): Promise<void>;
  /** Drains, then stops: accepts nothing new, answers held requests, finishes work in hand. */
  stop(): Promise<void>;
}

/** Peers learn the state when they ask; this is for the log. */
const healthMs = 30_000;
/** How long work in hand may take once a stop was requested; the whole stop takes at most 25 s. */
const graceMs = 10_000;
/** How often to check whether the machine's clock was set. */
const clockLookMs = 5_000;

/**
 * Starts these services as one process: the whole home if they are all of them, otherwise a part that finds the others
 * by PEER_<SERVICE>. Resolves when everything serves; on a failure, stops what was started.
 *
 * @throws ConfigError with every mistake in the settings at once; HearthError, worded for operators
 */
export async function startHome(
  services: readonly ServiceDefinition[],
  env: Environment,
  overrides: Overrides = {},
): Promise<Home> {
  const names = services.map((service) => service.name);
  const whole = isWhole(names);
  const config = readHomeConfig(env, { rules: rulesFor(names) });
  const limits = readLimits(config.limits, { homeName: config.home });
  const languages = openLanguages(config);
  const { clock = systemClock, random = systemRandom } = overrides;
  const name = whole ? 'home' : names.join('+');
  const log = overrides.log ?? createLogger({ level: config.logLevel, service: name });
  const releases = createReleases((what, err) => log.error({ err, what }, 'could not be released'));

  /** The first half of a stop, as far as things were started. */
  let endWork = async () => {};

  try {
    const telemetry = await startTelemetry({
      env,
      service: `hearth-${name}`,
      instance: `${hostname()}-${process.pid}`,
      logger: log,
    });
    releases.push('telemetry', () => telemetry.shutdown());

    if (whole) {
      const lock = lockFolder(config.dataFolder);
      releases.push('data folder', () => lock.release());
    }
    const ids = createIds(clock, random);
    const secrets = homeSecrets(config, names, { ids, random });
    const { operatorKey } = secrets;
    const { signal } = overrides;
    const opened = await openParts({ config, name, secrets, clock, random, log, releases, signal });
    const clockWatch = createClockWatch(systemClock, log);
    const parts = { ...opened, bus: clockWatch.over(opened.bus) };
    await migrateAll(services, { url: parts.databaseUrl, clock, log });

    const dispatcher = createDispatcher({
      clock,
      onUnexpected: (error, method) => log.error({ err: error, method }, 'a call failed unexpectedly'),
    });
    const jobs = createJobs({ log, random, due: startDueTimer({ ...parts, clock, log }) });
    jobs.every('clock', clockLookMs, clockWatch.look);
    const seals = createSeals({ ...parts, clock, log, jobs });
    const http = createGuardedHttp({ clock, devOrigins: config.devCallbacks, self: config });
    releases.push('requests to other addresses', () => http.close());
    const context: HomeContext = {
      ...parts,
      // Within one process nothing goes over gRPC.
      grpc: whole ? undefined : await import('@hearth/rpc/grpc'),
      // A key generated at the first start is treated like a given one.
      config: { ...config, ...(operatorKey !== undefined && { operatorKey: new Secret(operatorKey) }) },
      limits,
      limiter: createLimiter({ limits, cache: parts.cache, clock, prefix: `${keyPrefix(config)}limit:` }),
      clock,
      random,
      ids,
      log,
      homeNames: { ownHome: config.home, devHomes: config.devHomes },
      languages,
      http,
      seals,
      dispatcher,
      jobs,
      local: names,
      releases,
    };
    const hosts = createHosts(context);
    let rpcServer: RpcServer | undefined;
    let tellHealth = async () => {};
    endWork = async () => {
      await hosts.drain();
      await jobs.stop();
      await rpcServer?.stop(graceMs);
    };
    const readiness = createReadiness(context, hosts);
    // A process that the others refuse would serve only errors next to those that it is meant to replace.
    await hosts.introduce();
    for (const service of services) await service.start(hosts.hostOf(service.name, readiness.check));
    await seals.start();
    hosts.onDrain(() => parts.bus.stopConsuming());
    for (const consumer of hosts.consumers) await startConsumer(parts.bus, consumer);
    jobs.start();

    // The gateway answers no gRPC, and a whole home has no callers from other processes.
    if (context.grpc !== undefined && names.some((service) => service !== 'gateway')) {
      rpcServer = await context.grpc.createRpcServer({
        dispatcher,
        address: addressOf(config),
        services: names,
        secret: config.peerSecret!.reveal(),
        tls: config.tls,
        clock,
        beforeReady: () => tellHealth(),
      });
      rpcServer.setServing(true);
      tellHealth = createTellHealth(readiness.checkAlone, rpcServer, log);
      await tellHealth();
      jobs.every('health', healthMs, tellHealth);
    }
    await keepName(parts.database, config.home, log);
    log.info({ home: config.home, services: names }, 'started');

    let stopping: Promise<void> | undefined;
    const stop = async () => {
      log.info('stopping: work in hand ends first');
      readiness.goDown();
      rpcServer?.setServing(false);
      await endWork();
      await releases.releaseAll();
      log.info('stopped');
    };
    return {
      config,
      grpcPort: rpcServer?.port,
      bus: parts.bus,
      operatorKey,
      ready: readiness.check,
      client: (service, as, peer) => {
        const channel = createLocalChannel(dispatcher, clock.now);
        return createClient(service, { channel, service: as, clock, ...(peer !== undefined && { peer }) });
      },
      runJob: jobs.run,
      stop: () => {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    await endWork();
    await releases.releaseAll().catch(() => {});
    throw isExplained(error) ? error : asHearthError(error);
  }
}

function addressOf({ bind = '127.0.0.1', grpcPort }: HomeConfig): string {
  return `${isIPv6(bind) ? `[${bind}]` : bind}:${grpcPort}`;
}

function isExplained(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConfigError';
}
