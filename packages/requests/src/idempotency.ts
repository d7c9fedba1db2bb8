import { hash } from 'node:crypto';
import type { Clock } from '@hearth/clock';
import type { Database, Tx } from '@hearth/db';
import { badRequest } from '@hearth/errors';
import { type Caller, callerKinds } from '@hearth/rpc';
import { createRequestsTable, type RequestKey } from './requests-table.ts';

/** A request with a request_id, as it is remembered. */
export interface RememberedRequest {
  key: RequestKey;
  /** SHA-256 of what was asked for. */
  digest: Buffer;
}

/** Lets a request_id have its effect once: the same request is answered again, another one is refused. */
export interface Idempotency<Result> {
  /**
   * What this request made before, or null.
   * @throws bad_request (request_id_reused) when the id was used for something else
   */
  find(request: RememberedRequest): Promise<Result | null>;
  /** Within the transaction that does the work; false when another process has just done it: ask `find` again. */
  claim(tx: Tx, request: RememberedRequest, result: Result): Promise<boolean>;
  /** Forgets what is too old to be repeated. */
  purge(): Promise<void>;
}

export interface IdempotencyOptions {
  database: Database;
  /** Whose table it is: the service's schema. */
  schema: string;
  /** `requests` when not given. */
  table?: string;
  clock: Clock;
  /** How long a request is remembered, in milliseconds. */
  keptForMs: number;
}

const purgeBatch = 1_000;

export function createIdempotency<Result>(options: IdempotencyOptions): Idempotency<Result> {
  const { database, schema, table: tableName = 'requests', clock, keptForMs } = options;
  const table = createRequestsTable(schema, tableName);
  const since = () => new Date(clock.now() - keptForMs);
  return {
    async find({ key, digest }) {
      const found = await table.find<Result>(database.db, key, since());
      if (found === null) return null;
      if (found.digest.equals(digest)) return found.result;
      throw badRequest(
        `request_id: "${key.requestId}" was used for another request before; the same id repeats a request, a new one needs a new id`,
        { code: 'request_id_reused', field: 'request_id' },
      );
    },
    async claim(tx, { key, digest }, result) {
      return await table.claim(tx, key, { digest, result }, { since: since(), now: new Date(clock.now()) });
    },
    async purge() {
      let removed: number;
      do {
        removed = await database.transaction((tx) => table.deleteBefore(tx, since(), purgeBatch));
      } while (removed === purgeBatch);
    },
  };
}

/** Whose request_ids these are: the caller's, or of all who come without a credential from one network. */
export function scopeOf(caller: Caller): string {
  if (caller.kind === callerKinds.ANONYMOUS) return `network:${caller.network}`;
  const who = `${callerKinds[caller.kind].toLowerCase()}:${caller.id}`;
  // An app's request_ids are its own, whomever it acts for beside other apps and the person's own sign-in.
  return caller.app === '' || caller.app === caller.id ? who : `${who} app:${caller.app}`;
}

/** @param body the encoded request, without its request_id */
export function rememberedRequest(
  caller: Caller,
  operation: string,
  requestId: string,
  body: Uint8Array,
): RememberedRequest {
  return { key: { scope: scopeOf(caller), operation, requestId }, digest: hash('sha256', body, 'buffer') };
}
