import { day, hour, second } from '@hearth/clock';
import { isJsonObject, type JsonObject, readStrictObject } from '@hearth/signing';

/** A push, as sent. */
export interface SentPush {
  epoch: number;
  /** In order, without gaps. */
  items: readonly { id: string; rev: number; seq: number }[];
}

export interface Answered {
  status: number | null;
  body?: Buffer | undefined;
  retryAfterMs: number | null;
}

/** The outcome of an item of a push. */
interface Result {
  status: 'delivered' | 'rejected';
  code: string;
  /** The wrong member and its rule, as the other home says it. */
  fault: string;
  /** Addresses that the other home does not know. */
  unknown: string[];
}

/** The meaning of an answer to a push. */
export type Judged =
  | { what: 'taken'; seq: number; results: Result[] }
  /**
   * The other home settled more than was sent, so this home was restored from a backup. `results` is null if
   * they don't match these items.
   */
  | { what: 'restored'; epoch: number; seq: number; results: Result[] | null }
  | { what: 'out_of_step'; epoch: number; seq: number }
  | { what: 'bad_item'; index: number }
  | { what: 'one_by_one' }
  | { what: 'denied' }
  | { what: 'again'; holdMs: number; why: string };

const longestHoldMs = day;
/** The most addresses of an item. */
const mostRecipients = 20;

export function judgeAnswer(push: SentPush, { status, body, retryAfterMs }: Answered): Judged {
  const value = body === undefined ? null : readStrictObject(body);
  const again = (why: string): Judged => ({
    what: 'again',
    holdMs: status === 429 || status === 503 ? Math.min(retryAfterMs ?? 0, longestHoldMs) : 0,
    why,
  });
  if (status === 200) return (value && readTaken(push, value)) ?? again('an answer that is none');
  const code = typeof value?.['code'] === 'string' ? (value['code'] as string) : `http_${status}`;
  if (status === 403) return { what: 'denied' };
  const position = value === null ? null : positionOf(value);
  if (status === 409 && position !== null) {
    const beyond = position.epoch === push.epoch && position.seq >= lastOf(push);
    return beyond ? { what: 'restored', ...position, results: null } : { what: 'out_of_step', ...position };
  }
  if (status === 400 && code === 'bad_item') {
    const index = value!['index'];
    const known =
      Number.isSafeInteger(index) && (index as number) >= 0 && (index as number) < push.items.length;
    return known ? { what: 'bad_item', index: index as number } : { what: 'one_by_one' };
  }
  if (status === 400 && (code === 'bad_json' || code === 'bad_batch')) return { what: 'one_by_one' };
  return again(/^[a-z0-9_]{1,40}$/.test(code) ? code : 'http_error');
}

function lastOf({ items }: SentPush): number {
  return items[items.length - 1]!.seq;
}

function readTaken(push: SentPush, value: JsonObject): Judged | null {
  const position = positionOf(value);
  const { results } = value;
  if (position === null || !Array.isArray(results)) return null;
  const read = readResults(push, results);
  if (position.epoch === push.epoch && position.seq > lastOf(push))
    return { what: 'restored', ...position, results: read };
  if (position.epoch !== push.epoch || position.seq < push.items[0]!.seq - 1) return null;
  return read === null ? null : { what: 'taken', seq: position.seq, results: read };
}

/** Returns null unless the results match these items, in order. */
function readResults(push: SentPush, results: readonly unknown[]): Result[] | null {
  if (results.length !== push.items.length) return null;
  const read = results.map((result, index) => readResult(result, push.items[index]!));
  return read.includes(null) ? null : (read as Result[]);
}

function readResult(result: unknown, sent: { id: string; rev: number }): Result | null {
  if (!isJsonObject(result) || result['id'] !== sent.id || result['rev'] !== sent.rev) return null;
  const { status, code } = result;
  if (status === 'ok' || status === 'dup')
    return { status: 'delivered', code: '', fault: '', unknown: addressesIn(result['unknown']) };
  if (status !== 'rejected') return null;
  const known = typeof code === 'string' && /^[a-z_]{1,40}$/.test(code);
  return {
    status: 'rejected',
    code: known ? (code as string) : 'internal',
    fault: faultIn(result),
    unknown: [],
  };
}

/** The most characters of another home's text that go into the log. */
const mostFault = 300;

function faultIn({ path, rule }: JsonObject): string {
  return typeof path === 'string' && typeof rule === 'string' ? `${path} ${rule}`.slice(0, mostFault) : '';
}

/** @param unknown as the other home says it */
function addressesIn(unknown: unknown): string[] {
  return Array.isArray(unknown)
    ? unknown.filter((address) => typeof address === 'string').slice(0, mostRecipients)
    : [];
}

function positionOf({ epoch, seq }: JsonObject): { epoch: number; seq: number } | null {
  const counts = Number.isSafeInteger(epoch) && Number.isSafeInteger(seq);
  return counts && (epoch as number) >= 0 && (seq as number) >= 0
    ? { epoch: epoch as number, seq: seq as number }
    : null;
}

const firstMs = 5 * second;
/** Waiting items are undeliverable after this long without an answer. */
export const givenUpAfterMs = 14 * day;

/**
 * Returns the delay before the next push: 5 seconds, doubled up to an hour with full jitter, and six hours
 * after a day of failures.
 *
 * @param attempts consecutive failures, including this one
 * @param chance from 0 to 1
 */
export function pauseAfter(attempts: number, failingForMs: number, chance: number): number {
  if (failingForMs >= day) return 6 * hour;
  const most = Math.min(firstMs * 2 ** Math.min(attempts - 1, 20), hour);
  return Math.max(second, Math.round(most * chance));
}
