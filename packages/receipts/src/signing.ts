import { type Clock, second } from '@hearth/clock';
import { eachOf } from '@hearth/coalesce';
import type { Database, Fragment } from '@hearth/db';
import { printId } from '@hearth/ids';
import type { RecordsService } from '@hearth/proto/federation/v1/records';
import { anonymous, type Caller, type Client } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import type { Logger } from '@hearth/telemetry';
import { claimUnsigned, nextUnsigned, type Unsigned } from './claim-unsigned.ts';
import { receiptHash } from './receipt.ts';

/** The record of a settled thing before signing. */
export interface RecordDraft<Thing> {
  /** uuid */
  record: string;
  /** "decision.outcome" */
  type: string;
  /** The thing's id as callers see it. */
  subject: string;
  /** The digest of the previous record. */
  prev?: string | null;
  /** The record's own members, after those common to all records. */
  body: Readonly<Record<string, unknown>>;
  /** uuids of the people, AIs and apps concerned. */
  viewers: readonly string[];
  /** Stores the signed record with the thing and announces the outcome. Idempotent. */
  store(json: string): Promise<Thing>;
}

export interface SigningOptions<Thing> {
  /** The thing's name in the record and in the log, such as "decision". */
  kind: string;
  /** The rows that wait for a signature. */
  unsigned: Unsigned;
  idOf(thing: Thing): string;
  find(id: string): Promise<Thing | null>;
  /** Null for a thing that isn't settled, or is already signed. */
  draft(thing: Thing, by: Caller | undefined): Promise<RecordDraft<Thing> | null>;
}

export interface SigningParts {
  clock: Clock;
  database: Pick<Database, 'statement'>;
  homeNames: { ownHome: string };
  log: Logger;
  sealer: Pick<Sealer, 'derive'>;
  peers: { records: Pick<Client<typeof RecordsService>, 'keepRecord'> };
}

/**
 * Signs the records of settled things. Federation signs and keeps each record once per id. Then the record is stored
 * and the outcome announced, so that no outcome is announced without its record. After a crash it resumes where it
 * stopped.
 */
export interface Signing<Thing> {
  /** Signs a thing if possible and returns its new state; otherwise a job signs it later. */
  now(thing: Thing, by?: Caller): Promise<Thing>;
  /** When a record is due that the settling request left unsigned. */
  readonly nextDue: { readonly sql: Fragment; readonly afterWritesMs: number };
  /** For a job: signs everything that a crash, or an outage of federation, left unsigned. */
  due(): Promise<void>;
}

/** How long the caller who settles the thing waits for the signature. */
const signWithinMs = 3 * second;
/** Until then, the request that settled the thing may still be signing it. */
const graceMs = 5 * second;
const leaseMs = 30 * second;
const batch = 50;
const atOnce = 25;
const mostViewers = 200;

export function createSigning<Thing>(
  { clock, database, homeNames, log, sealer, peers }: SigningParts,
  { kind, unsigned, idOf, find, draft }: SigningOptions<Thing>,
): Signing<Thing> {
  async function sign(thing: Thing, by: Caller | undefined): Promise<Thing> {
    const drafted = await draft(thing, by);
    if (drafted === null) return thing;
    const { record, type, subject, prev = null, body, store, viewers } = drafted;
    const whole = {
      v: 1,
      type,
      id: printId('rec', record),
      home: homeNames.ownHome,
      issued_at: new Date(clock.now()).toISOString(),
      subject: { kind, id: subject },
      ...(prev !== null && { prev }),
      ...body,
    };
    const { json } = await peers.records.keepRecord(
      {
        id: record,
        json: JSON.stringify(whole),
        receiptHash: receiptHash(sealer, record),
        viewers: viewers.slice(0, mostViewers),
      },
      { caller: anonymous, timeoutMs: signWithinMs },
    );
    return await store(json);
  }

  const signing: Signing<Thing> = {
    async now(thing, by) {
      try {
        return await sign(thing, by);
      } catch (err) {
        log.warn({ err, [kind]: idOf(thing) }, 'a settled thing waits to be signed');
        return thing;
      }
    },
    nextDue: { sql: nextUnsigned(unsigned, graceMs), afterWritesMs: graceMs },
    async due() {
      for (;;) {
        const now = clock.now();
        const lease = {
          before: new Date(now - graceMs),
          now: new Date(now),
          until: new Date(now + leaseMs),
          limit: batch,
        };
        const ids = await database.statement((tx) => claimUnsigned(tx, unsigned, lease));
        await eachOf(ids, atOnce, async (id) => {
          const settled = await find(id);
          if (settled !== null) await signing.now(settled);
        });
        if (ids.length < batch) return;
      }
    },
  };
  return signing;
}
