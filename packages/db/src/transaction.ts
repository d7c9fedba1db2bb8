import { setTimeout as sleep } from 'node:timers/promises';
import { type HearthError, internal } from '@hearth/errors';
import type { Random } from '@hearth/ids';
import type { Connection, Connections } from './connections.ts';
import { asDatabaseError, classify, isRetryable, losesConnection } from './errors.ts';
import { readsAndWrites } from './reads.ts';
import type { Send } from './send.ts';
import type { Statement, Tx } from './types.ts';

/** The most retries after a deadlock. */
const maxRetries = 3;
const maxStalePlans = 100;

/** Runs `work` again after a failure that a second run, from the start, would probably avoid. */
export async function withRetries<T>(random: Random, work: () => Promise<T>): Promise<T> {
  for (let run = 0; ; run += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      // After a migration, each connection's old plan fails once, and the connection is dropped, so this terminates.
      const stalePlan = classify(error) === 'stale_plan';
      if (run >= (stalePlan ? maxStalePlans : maxRetries)) throw error;
      if (!stalePlan) await sleep(retryDelayMs(run, random));
    }
  }
}

/** 5 to 15 ms before the first retry, doubled for each further one; jitter keeps colliding transactions apart. */
function retryDelayMs(run: number, random: Random): number {
  const [byte = 0] = random.bytes(1);
  return 10 * 2 ** run * (0.5 + byte / 256);
}

export async function runTransaction<T>(
  { connections, send }: { connections: Connections; send: Send },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const connection = await connections.acquire();
  const open = openTransaction(connection, send);
  try {
    const result = await work(open.tx);
    await open.commit();
    connections.release(connection);
    return result;
  } catch (error) {
    // Whether a retry would help does not depend on how the work handled the failed statement.
    const failure = open.conflict() ?? error;
    // A lost connection rolls back by itself; a rollback statement would only wait for an answer.
    const rollbackFailure = losesConnection(failure) ? undefined : await open.rollback();
    connections.release(connection, rollbackFailure ?? failure);
    throw failure;
  }
}

function openTransaction(connection: Connection, send: Send) {
  let ended = false;
  let conflict: HearthError | undefined;
  // Sent before the first statement without waiting for the answer, which `commit` checks.
  const begun = connection.query('begin');
  begun.catch(() => {});

  async function run(statement: Statement) {
    if (ended)
      throw internal(`the statement ${statement.name ?? 'unnamed'} came after the end of its transaction`);
    try {
      return await send(connection, statement);
    } catch (error) {
      if (isRetryable(error)) conflict ??= error as HearthError;
      throw error;
    }
  }

  return {
    tx: readsAndWrites(run),
    conflict: () => conflict,
    async commit(): Promise<void> {
      ended = true;
      try {
        await begun;
        const answer = await connection.query('commit');
        if (answer.command === 'COMMIT') return;
      } catch (error) {
        throw asDatabaseError(error, 'commit');
      }
      throw internal('a statement of the transaction failed and its error was swallowed; nothing was stored');
    },
    /** Returns the error of a failed rollback: usually the connection is lost. */
    async rollback(): Promise<unknown> {
      ended = true;
      try {
        await connection.query('rollback');
        return undefined;
      } catch (error) {
        return asDatabaseError(error, 'rollback');
      }
    },
  };
}
