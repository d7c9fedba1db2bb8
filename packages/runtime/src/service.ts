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

/** Removes rows of before a moment, at most `limit`; how many. */
export type Removal = (tx: Tx, before: Date, limit: number) => Promise<number>;

/**
 * A service as every entry point sees it: `run([messages])` makes it a process of its own, and the
 * one-process home runs all of them. `start` is the service's composition root.
 */
export interface ServiceDefinition {
  name: ServiceName;
  /** The folder of its numbered SQL files; its schema carries the service's name. Absent without data. */
  migrations?: URL;
  /** Builds the service and registers its rpcs, consumers and jobs; nothing is served before it resolves. */
  start(host: Host): Promise<void>;
}

/** The parts of a host that a module with tables works with, and further ones by name. */
export type HostParts<More extends keyof Host = never> = Pick<
  Host,
  'clock' | 'commit' | 'database' | 'ids' | 'limits' | More
>;

/** The parts of a home that a service works with, the same in one process and apart. */
export interface Host {
  readonly config: SharedConfig;
  /** A setting that this service alone reads (`ownSettings` of packages/config). @throws internal for another service's */
  own<Name extends OwnSetting>(setting: Name): OwnSettings[Name];
  readonly limits: Limits;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: Logger;
  readonly database: Database;
  /** Writes state with its announcement, signals and wakes: one transaction of this service. */
  readonly commit: Commit;
  /** Makes rows for hot statements that write their outbox rows themselves. */
  readonly outbox: Pick<Outbox, 'row'>;
  readonly bus: Bus;
  readonly cache: Cache;
  readonly sealer: Sealer;
  /** The operator's side of a change of the seal key. */
  readonly seals: Seals;
  /** The languages in which this home talks, with the one for each reader. */
  readonly languages: Languages;
  /** Tells local addresses from remote ones. */
  readonly homeNames: HomeNames;
  /** The people of this home, kept in memory once for each process. */
  readonly people: People;
  /** Requests to addresses that others chose. */
  readonly http: GuardedHttp;

  /** Answers the rpcs of `service`. */
  serve<S extends DescService>(service: S, handlers: Handlers<S>): void;
  /** Answers the rpcs of `service`, each by the file of its name in `rpc/` beside the module (its `import.meta.url`). */
  serveRpcs(service: DescService, module: string, context: unknown): Promise<void>;
  /**
   * Results by request_id, in a table of this service's schema (`requests` when not given), kept for the limit
   * request_id_days and purged each hour.
   */
  idempotency<Result>(table?: string): Idempotency<Result>;
  /** A client of another service, here or remote; it may be taken before that service has started. */
  peer<S extends DescService>(name: ServiceName, service: S): Client<S>;
  /** Consumes events of these types (the names of Event.data: "message_sent"), at least once each. */
  consume(consumer: {
    durable: string;
    types: string[];
    handle(events: ReceivedEvent[]): Promise<void>;
    /**
     * Events about one thing (`hearth.thing`) are handled in the order in which they happened, whichever process published its
     * own first and whichever takes them. One whose predecessor is missing waits for it, for half a minute at most.
     */
    inOrder?: boolean;
  }): void;
  /** Does work over time: the first run after one interval, never two at once in this process. */
  every(name: string, milliseconds: number, work: () => Promise<void>): void;
  /**
   * Does work when it is due: `next` is SQL that says when that is next. While something stays due it goes on every so many
   * milliseconds. For work that waits in tables, in place of `every`: an idle home then looks at them every 20 seconds,
   * with one statement for all.
   */
  whenDue(name: string, milliseconds: number, next: NextDue, work: () => Promise<void>): void;
  /** Removes every hour, a batch at a time, what each step says: rows of before so many milliseconds ago. */
  purge(name: string, ...steps: readonly [keptMs: number, remove: Removal][]): void;
  /** Says where this module stores sealed values, so that they are sealed anew when the seal key changes. */
  sealed(...columns: SealedColumn[]): void;
  /** For GET /ready: rejects with the reason while the service cannot serve. */
  readyWhen(name: string, check: () => Promise<void>): void;
  /** Whether this process can serve, with the reasons when it cannot. */
  ready(): Promise<Readiness>;
  /** First stage of a stop: take nothing new, answer what is held, finish what is in hand. */
  onDrain(work: () => Promise<void>): void;
  /** Second stage: give back what was acquired. Runs last in, first out. */
  onStop(work: () => Promise<void>): void;
}
