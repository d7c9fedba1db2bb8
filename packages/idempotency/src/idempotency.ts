import type { DescMethod, MessageShape } from '@bufbuild/protobuf';
import type { Clock } from '@hearth/clock';
import { type Database, inBatches, type Tx } from '@hearth/db';
import { internal } from '@hearth/errors';
import type { Call } from '@hearth/rpc';
import { checkSame, idempotencyKey } from './key.ts';
import { createTable, type IdempotencyKey } from './table.ts';

/**
 * Stores the result under the request's key, in the transaction that creates it. If a concurrent call has just stored
 * one,
 * throws, which rolls the transaction back and leads to `repeat`. Does nothing without a request_id.
 */
export type Claim<Result> = (tx: Tx, result: Result) => Promise<void>;

export interface OnceWork<Result, Answer> {
  /** Does the work; calls `claim` first in its transaction. */
  make(claim: Claim<Result>): Promise<Answer>;
  /** Answers a repeated request from the stored result; the HTTP status is then 200. */
  repeat(result: Result): Promise<Answer>;
}

/** Makes a request_id take effect once: the same request gets the same answer, a different one is refused. */
export interface Idempotency<Result> {
  /**
   * Does a request's work, or repeats its answer.
   *
   * @throws bad_request (request_id_reused) if the id was used for another request
   */
  once<Method extends DescMethod, Answer>(
    call: Call,
    method: Method,
    request: MessageShape<Method['input']>,
    work: OnceWork<Result, Answer>,
  ): Promise<Answer>;
  /** Deletes expired keys. */
  purge(): Promise<void>;
}

export interface IdempotencyOptions {
  database: Database;
  /** With its schema: `groups.requests`. */
  table: string;
  clock: Clock;
  /** How long to keep a key, in milliseconds. */
  keptForMs: number;
}

const purgeBatch = 1_000;

class ClaimedMeanwhile extends Error {}

export function createIdempotency<Result>({
  database,
  table: tableName,
  clock,
  keptForMs,
}: IdempotencyOptions): Idempotency<Result> {
  const table = createTable(tableName);
  const since = () => new Date(clock.now() - keptForMs);

  async function find(key: IdempotencyKey): Promise<Result | null> {
    const kept = await table.find<Result>(database.db, key, since());
    if (kept === null) return null;
    checkSame(key, kept);
    return kept.result;
  }

  async function claim(tx: Tx, key: IdempotencyKey, result: Result): Promise<void> {
    const claimed = await table.claim(tx, key, result, { since: since(), now: new Date(clock.now()) });
    if (!claimed) throw new ClaimedMeanwhile();
  }

  return {
    async once(call, method, request, { make, repeat }) {
      const key = idempotencyKey(call.caller, method, request);
      if (key === null) return await make(async () => {});
      const answerAgain = async (result: Result) => {
        call.answerWith(200);
        return await repeat(result);
      };
      const before = await find(key);
      if (before !== null) return await answerAgain(before);
      try {
        return await make((tx, result) => claim(tx, key, result));
      } catch (error) {
        if (!(error instanceof ClaimedMeanwhile)) throw error;
      }
      const parallel = await find(key);
      if (parallel === null) throw internal('a request_id was taken and is not there');
      return await answerAgain(parallel);
    },
    purge: () => inBatches(database, purgeBatch, (tx, size) => table.deleteBefore(tx, since(), size)),
  };
}
