import type { Bus } from '@hearth/bus';
import { type Clock, minute, nowDate } from '@hearth/clock';
import { type Database, sql, type Tx } from '@hearth/db';
import { badRequest } from '@hearth/errors';
import type { Sealer } from '@hearth/sealing';
import type { Logger } from '@hearth/telemetry';
import type { Jobs } from './jobs.ts';

/** A column in which a service stores sealed values. */
export interface SealedColumn {
  /** In the service's schema. */
  table: string;
  /** bytea, or jsonb with `member`. */
  column: string;
  /** The member with the value in base64. */
  member?: string;
  /** The context that it was sealed in, as an SQL expression on the row. */
  context: string;
}

/** The progress of a seal key change. */
export interface SealState {
  /** The marks of this process's keys, in hex. */
  key: string;
  otherKey: string | null;
  /** When re-sealing with `key` was requested; null if it wasn't. */
  askedAt: Date | null;
  places: SealedPlace[];
}

export interface SealedPlace {
  /** "identity.people.birth" */
  place: string;
  /** How many values another key sealed; null if not counted since the request. */
  remaining: number | null;
  /** How many of these no key of the home opens. */
  unopened: number;
}

/** The operator's side of a seal key change. */
export interface Seals {
  /** Has every service re-seal with the present key what another key sealed. @throws bad_request without another key */
  ask(): Promise<void>;
  state(): Promise<SealState>;
}

export interface RunningSeals extends Seals {
  /** Re-seals this service's stored values on request. */
  add(schema: string, columns: readonly SealedColumn[]): void;
  /** Announces the places. Call it once every service of this process has started. */
  start(): Promise<void>;
}

interface Deps {
  database: Database;
  sealer: Sealer;
  bus: Bus;
  clock: Clock;
  log: Logger;
  jobs: Jobs;
}

const signal = 'reseal';
/** Pages of a table per transaction, whose rows are locked briefly. */
const pagesAtOnce = 32;

/**
 * Re-seals stored values after the seal key changed. The values themselves show what is left, so that a killed process
 * loses nothing, and several can work at once.
 */
export function createSeals({ database, sealer, bus, clock, log, jobs }: Deps): RunningSeals {
  const { otherMark } = sealer;
  const key = sealer.mark.toString('hex');
  const places: (SealedColumn & { schema: string })[] = [
    { schema: 'home', table: 'secrets', column: 'sealed', context: "'home.secret:' || name" },
  ];

  let running: Promise<void> | undefined;
  const run = () => {
    running ??= resealAll().finally(() => {
      running = undefined;
    });
    return running;
  };

  async function resealAll(): Promise<void> {
    if (otherMark === null) return;
    const asked = await database.db.maybeOne<{ key: string }>(sql`select key from home.reseal`);
    // A process that was not started with the new key yet leaves the work to others.
    if (asked?.key !== key) return;
    for (const place of places) await reseal(place);
  }

  async function reseal(place: SealedColumn & { schema: string }): Promise<void> {
    const name = nameOf(place);
    const unopened = new Set<string>();
    const { pages } = await database.db.one<{ pages: number }>({
      text: `select pg_relation_size('${place.schema}.${place.table}') / current_setting('block_size')::int as pages`,
    });
    for (let from = 0; from < pages; from += pagesAtOnce) {
      await database.transaction((tx) => resealPages(tx, place, from, unopened));
    }
    const { remaining } = await database.db.one<{ remaining: number }>({
      text: `select count(*) as remaining from ${place.schema}.${place.table} where ${isLeft(place)}`,
      values: [sealer.mark],
    });
    if (unopened.size > 0) {
      log.error({ place: name, values: unopened.size }, 'sealed values that no key of the home opens');
    }
    await database.statement((tx) =>
      tx.execute(sql`
        insert into home.sealed (place, key, remaining, unopened, looked_at)
        values (${name}, ${key}, ${remaining}, ${unopened.size}, ${nowDate(clock)})
        on conflict (place) do update set key = excluded.key, remaining = excluded.remaining,
          unopened = excluded.unopened, looked_at = excluded.looked_at`),
    );
  }

  async function resealPages(
    tx: Tx,
    place: SealedColumn & { schema: string },
    from: number,
    unopened: Set<string>,
  ): Promise<void> {
    const { schema, table, column, member, context } = place;
    const rows = await tx.query<{ at: string; value: Buffer; context: string }>({
      text: `select ctid::text as at, ${valueIn(place)} as value, ${context} as context from ${schema}.${table}
        where ctid >= $2::tid and ctid < $3::tid and ${isLeft(place)} for update`,
      values: [sealer.mark, `(${from},0)`, `(${from + pagesAtOnce},0)`],
    });
    const anew = rows.flatMap((row) => {
      try {
        const plain = sealer.open(row.value, row.context);
        return [{ at: row.at, value: sealer.seal(plain, row.context) }];
      } catch {
        unopened.add(row.context);
        return [];
      }
    });
    if (anew.length === 0) return;
    const written =
      member === undefined
        ? { as: 'bytea', set: 'anew.value', values: anew.map(({ value }) => value) }
        : {
            as: 'text',
            set: `jsonb_set(${column}, '{${member}}', to_jsonb(anew.value))`,
            values: anew.map(({ value }) => value.toString('base64')),
          };
    // Locked rows stay in place until this writes them.
    await tx.execute({
      text: `update ${schema}.${table} as stored set ${column} = ${written.set}
        from unnest($1::text[], $2::${written.as}[]) as anew (at, value) where stored.ctid = anew.at::tid`,
      values: [anew.map(({ at }) => at), written.values],
    });
  }

  const quietly = () =>
    void run().catch((err: unknown) => log.warn({ err }, 'values could not be sealed anew'));
  return {
    add(schema, columns) {
      places.push(...columns.map((column) => ({ ...column, schema })));
    },
    async start() {
      await database.statement((tx) =>
        tx.execute(sql`
          insert into home.sealed (place) select unnest(${places.map(nameOf)}::text[]) on conflict do nothing`),
      );
      bus.onSignal(signal, quietly);
      jobs.every('home: reseal', minute, run);
    },
    async ask() {
      if (otherMark === null) {
        throw badRequest(
          'there is one seal key: give the one before as HEARTH_SEAL_KEY_OTHER (or seal.key.other in the data folder) ' +
            'to every process of the home, start them with both, and ask again',
          { code: 'not_waiting' },
        );
      }
      await database.statement((tx) =>
        tx.execute(sql`
          insert into home.reseal (key, asked_at) values (${key}, ${nowDate(clock)})
          on conflict (one) do update set key = excluded.key, asked_at = excluded.asked_at`),
      );
      bus.signal(signal, new Uint8Array());
    },
    async state() {
      const { db } = database;
      const asked = await db.maybeOne<{ askedAt: Date }>(
        sql`select asked_at as "askedAt" from home.reseal where key = ${key}`,
      );
      const found = await db.query<SealedPlace & { key: string | null }>(
        sql`select place, key, remaining, coalesce(unopened, 0) as unopened from home.sealed order by place`,
      );
      return {
        key,
        otherKey: otherMark?.toString('hex') ?? null,
        askedAt: asked?.askedAt ?? null,
        places: found.map((place) => ({
          place: place.place,
          remaining: place.key === key ? place.remaining : null,
          unopened: place.key === key ? place.unopened : 0,
        })),
      };
    },
  };
}

function nameOf({ schema, table, column, member }: SealedColumn & { schema: string }): string {
  return [schema, table, column, member].filter((part) => part !== undefined).join('.');
}

function valueIn({ column, member }: SealedColumn): string {
  return member === undefined ? column : `decode(${column}->>'${member}', 'base64')`;
}

/** $1 is the mark of the present key. */
function isLeft(column: SealedColumn): string {
  return `substring(${valueIn(column)} from 1 for 5) <> $1`;
}
