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

/** The record of a settled thing before it is signed. */
export interface RecordDraft<Thing> {
  /** uuid */
  record: string;
  /** "decision.outcome" */
  type: string;
  /** The id of the thing, as callers read it. */
  subject: string;
  /** The digest of the record that was signed before. */
  prev?: string | null;
  /** The record's own members, which follow those that every record has. */
  body: Readonly<Record<string, unknown>>;
  /** uuids of the people, AIs and apps concerned. */
  viewers: readonly string[];
  /** Stores the signed record with the thing and announces the outcome; once, however often it is called. */
  store(json: string): Promise<Thing>;
}

export interface SigningOptions<Thing> {
  /** The word for it in the record and in the log: "decision". */
  kind: string;
  /** The rows that wait to be signed. */
  unsigned: Unsigned;
  idOf(thing: Thing): string;
  find(id: string): Promise<Thing | null>;
  /** Null for a thing that is not settled, and for one that is signed. */
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
 * Signs the records of settled things. Federation signs and keeps a record, once for each id; then it is stored and the
 * outcome announced, so that no outcome is told before its record is there. Repeated after a crash it goes on where it stopped.
 */
export interface Signing<Thing> {
  /** Signs a thing where that works, and gives it back as it is then; a job signs it later where it does not. */
  now(thing: Thing, by?: Caller): Promise<Thing>;
  /** When something is to be signed that the request which settled it left. */
  readonly nextDue: { readonly sql: Fragment; readonly afterWritesMs: number };
  /** For a job: signs all that a crash, or an absence of federation, left unsigned. */
  due(): Promise<void>;
}

/** The caller who settles it waits no longer than that. */
const signWithinMs = 3 * second;
/** The request that settled it is still at it before. */
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
