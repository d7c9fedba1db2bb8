import type { DescService } from '@bufbuild/protobuf';
import type { HomeNames } from '@hearth/addresses';
import type { Bus } from '@hearth/bus';
import type { Cache } from '@hearth/cache';
import type { Clock } from '@hearth/clock';
import type { OwnSetting, OwnSettings, SharedConfig } from '@hearth/config';
import type { Database, Tx } from '@hearth/db';
import type { GuardedHttp } from '@hearth/guarded-http';
import type { Languages } from '@hearth/i18n';
import type { Idempotency } from '@hearth/idempotency';
import type { Ids, Random } from '@hearth/ids';
import type { Limiter, Limits } from '@hearth/limits';
import type { Commit, Outbox } from '@hearth/outbox';
import type { People } from '@hearth/people';
import type { Client, Handlers } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import type { Logger } from '@hearth/telemetry';
import type { ReceivedEvent } from './consume.ts';
import type { NextDue } from './due-timer.ts';
import type { Readiness } from './readiness.ts';
import type { SealedColumn, Seals } from './seals.ts';
import type { ServiceName } from './service-names.ts';

/** Removes rows from before a time, at most `limit`; returns how many. */
export type Removal = (tx: Tx, before: Date, limit: number) => Promise<number>;

/**
 * A service as every entry point sees it: `run([messages])` makes it a process of its own, and the one-process home
 * runs all of them. `start` is the service's composition root.
 */
export interface ServiceDefinition {
  name: ServiceName;
  /** The folder of its numbered SQL files; its schema has the service's name. Absent without data. */
  migrations?: URL;
  /** Builds the service and registers its rpcs, consumers and jobs; nothing is served before it resolves. */
  start(host: Host): Promise<void>;
}

/** The parts of a host that a module with tables uses, and further parts by name. */
export type HostParts<More extends keyof Host = never> = Pick<
  Host,
  'clock' | 'commit' | 'database' | 'ids' | 'limits' | More
>;

/** The parts of a home that a service uses, the same in one process and in separate ones. */
export interface Host {
  readonly config: SharedConfig;
  /**
   * A setting that only this service reads (`ownSettings` of packages/config). @throws internal for another service's
   */
  own<Name extends OwnSetting>(setting: Name): OwnSettings[Name];
  readonly limits: Limits;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: Logger;
  readonly database: Database;
  /** Writes state with its announcement, signals and wakes in one transaction of this service. */
  readonly commit: Commit;
  /** Builds outbox rows for hot statements that insert them themselves. */
  readonly outbox: Pick<Outbox, 'row'>;
  readonly bus: Bus;
  readonly cache: Cache;
  readonly sealer: Sealer;
  /** The operator's side of a seal key change. */
  readonly seals: Seals;
  /** The home's languages, and how to choose one for each reader. */
  readonly languages: Languages;
  /** Tells local addresses from remote ones. */
  readonly homeNames: HomeNames;
  /** This home's people, cached once per process. */
  readonly people: People;
  /** Requests to addresses chosen by others. */
  readonly http: GuardedHttp;

  /** Answers the rpcs of `service`. */
  serve<S extends DescService>(service: S, handlers: Handlers<S>): void;
  /**
   * Answers the rpcs of `service`, each from the file with its name in `rpc/` next to the module (its
   * `import.meta.url`).
   */
  serveRpcs(service: DescService, module: string, context: unknown): Promise<void>;
  /**
   * Results by request_id, in a table of this service's schema (default `requests`), kept for the limit request_id_days
   * and purged each hour.
   */
  idempotency<Result>(table?: string): Idempotency<Result>;
  /** A client of another service, local or remote; may be taken before that service has started. */
  peer<S extends DescService>(name: ServiceName, service: S): Client<S>;
  /** Consumes events of these types (named as in Event.data: "message_sent"), each at least once. */
  consume(consumer: {
    durable: string;
    types: string[];
    handle(events: ReceivedEvent[]): Promise<void>;
    /**
     * Handles events about one thing (`hearth.thing`) in the order in which they happened, whichever process published
     * or consumes them. An event whose predecessor is missing waits at most half a minute for it.
     */
    inOrder?: boolean;
  }): void;
  /** Runs work on a schedule: first after one interval, never twice at once in this process. */
  every(name: string, milliseconds: number, work: () => Promise<void>): void;
  /**
   * Runs work when it is due: `next` is SQL for the next due time. While something stays due, it repeats every so many
   * milliseconds. Use it instead of `every` for work that waits in tables: an idle home then checks them every 20
   * seconds, with one statement for all.
   */
  whenDue(name: string, milliseconds: number, next: NextDue, work: () => Promise<void>): void;
  /** Removes rows every hour, in batches, as each step says: those older than so many milliseconds. */
  purge(name: string, ...steps: readonly [keptMs: number, remove: Removal][]): void;
  /** Declares where this module stores sealed values, so that they are re-sealed when the seal key changes. */
  sealed(...columns: SealedColumn[]): void;
  /** For GET /ready: rejects with the reason while the service cannot serve. */
  readyWhen(name: string, check: () => Promise<void>): void;
  /** Whether this process can serve, with the reasons if it cannot. */
  ready(): Promise<Readiness>;
  /** First stage of a stop: accept nothing new, answer held requests, finish work in hand. */
  onDrain(work: () => Promise<void>): void;
  /** Second stage: release resources. Runs last in, first out. */
  onStop(work: () => Promise<void>): void;
}
