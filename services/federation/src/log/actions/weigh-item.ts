import { parseAddress, parseReference } from '@hearth/addresses';
import { minute } from '@hearth/clock';
import {
  isJsonObject,
  type JsonObject,
  type ListedKey,
  parseInstant,
  readClaimedKid,
  verifyRecord,
} from '@hearth/signing';
import { inboxLimits } from '../../shared/domain/inbox-limits.ts';
import type { ItemType } from '../domain/item-types.ts';
import { longestMs } from './item.ts';
import { type Fault, findFault } from './item-schema.ts';

/** Codes with which an item is refused. */
export type ItemCode =
  | 'bad_signature'
  | 'wrong_origin'
  | 'wrong_destination'
  | 'expired'
  | 'clock'
  | 'unknown_type'
  | 'unknown_operation'
  | 'schema'
  | 'conflict'
  | 'erased'
  | 'no_such_address'
  | 'too_large'
  | 'first_contact'
  | 'internal';

/** Why an item is refused; with `schema`, also the wrong member and its rule. */
export interface Refused extends Partial<Fault> {
  code: ItemCode;
}

/** A well-formed item for this home. */
export interface WeighedItem {
  type: ItemType;
  id: string;
  rev: number;
  from: string;
  sender: JsonObject | null;
  /** Without the home. */
  to: string[];
  body: JsonObject;
  issuedAt: number;
  expiresAt: number;
  /** Kind of a state, operation of an act, object of an `erased`, act of a result. */
  about: string;
}

export interface WeighOptions {
  /** The home that pushed and signed it. */
  origin: string;
  home: string;
  /** Names that may have a port, including this home's own. */
  devHomes: readonly string[];
  now: number;
  /** Whether other homes may call an operation. */
  isFederated(operation: string): boolean;
  /** Whether this home knows this kind of state. */
  isKind(kind: string): boolean;
}

const mostAheadMs = 5 * minute;
const types: readonly string[] = ['message', 'state', 'act', 'result', 'erased', 'notice', 'skip'];
const isType = (type: string): type is ItemType => types.includes(type);

/** Reads an item's times before its signature is verified: its key must have been valid then. */
function timesOf(item: JsonObject): { issuedAt: number; expiresAt: number } | Refused {
  const [issuedAt, expiresAt] = [parseInstant(item['issued_at']), parseInstant(item['expires_at'])];
  if (issuedAt !== null && expiresAt !== null) return { issuedAt, expiresAt };
  const path = issuedAt === null ? 'issued_at' : 'expires_at';
  return schema({ path, rule: 'must be an instant in UTC, as 2026-01-15T10:00:00Z' });
}

/** Returns the key that an item names, or why the item is refused before its key is looked up. */
export function claimedKey(item: JsonObject, origin: string): { kid: string } | Refused {
  if (typeof item['origin'] !== 'string') return { code: 'bad_signature' };
  if (item['origin'] !== origin) return { code: 'wrong_origin' };
  const times = timesOf(item);
  if ('code' in times) return times;
  const kid = readClaimedKid(item['signature']);
  return kid === null ? { code: 'bad_signature' } : { kid };
}

/**
 * Checks an item, its signature first.
 *
 * @param listed the key that it names, as its home lists it; null if that key is not valid
 */
export function weighSigned(
  item: JsonObject,
  listed: ListedKey | null,
  options: WeighOptions,
): WeighedItem | Refused {
  if (listed === null) return { code: 'bad_signature' };
  // Its own times are checked later: a signature does not expire.
  const by = { expectedType: 'svc-envelope+jws', home: options.origin, keys: [listed], now: 0 } as const;
  return verifyRecord(item, by).valid ? weighItem(item, options) : { code: 'bad_signature' };
}

/** Checks an item whose signature is valid: returns the item, or why it is refused. */
export function weighItem(item: JsonObject, options: WeighOptions): WeighedItem | Refused {
  const { origin, home, now } = options;
  const { type, from, sender, to = [], destination } = item;
  const owned = type === 'state' || type === 'message';
  if (owned && isElsewhere(homeOfReference(item['id'], options), origin)) return { code: 'wrong_origin' };
  if (isElsewhere(homeOfAddress(from, options), origin)) return { code: 'wrong_origin' };
  if (destination !== home) return { code: 'wrong_destination' };
  const times = timesOf(item);
  if ('code' in times) return times;
  if (times.expiresAt <= now) return { code: 'expired' };
  if (times.issuedAt > now + mostAheadMs) return { code: 'clock' };
  if (typeof type !== 'string' || !isType(type)) return { code: 'unknown_type' };
  if (times.expiresAt > times.issuedAt + longestMs)
    return schema({ path: 'expires_at', rule: 'must be at most 14 days after issued_at' });
  const fault = findFault(type, item, options);
  if (fault !== null) return schema(fault);
  const body = item['body'] as JsonObject;
  const about = readBody(type, body, options);
  if ('code' in about) return about;
  if (Buffer.byteLength(JSON.stringify(item)) > inboxLimits.max_item) return { code: 'too_large' };
  return {
    ...times,
    type,
    id: item['id'] as string,
    rev: item['rev'] as number,
    from: from === undefined ? '' : (from as string),
    sender: isJsonObject(sender) ? sender : null,
    to: (to as string[]).map((address) => localForm(address, home)),
    body,
    about: about.name,
  };
}

const schema = (fault: Fault): Refused => ({ code: 'schema', ...fault });
const isElsewhere = (named: string | null, origin: string) => named !== null && named !== origin;

function homeOfReference(value: unknown, { devHomes }: WeighOptions): string | null {
  return typeof value === 'string' ? (parseReference(value, { devHomes })?.home ?? null) : null;
}

function homeOfAddress(value: unknown, { devHomes }: WeighOptions): string | null {
  return typeof value === 'string' ? (parseAddress(value, { devHomes })?.home ?? null) : null;
}

function localForm(address: string, home: string): string {
  const own = address.slice(0, -home.length - 1);
  return own.startsWith('&') ? own : `@${own}`;
}

/** Returns what a body is about, or why it is refused. */
function readBody(type: ItemType, body: JsonObject, options: WeighOptions): { name: string } | Refused {
  const { origin, home } = options;
  switch (type) {
    case 'act':
      if (!options.isFederated(body['operation'] as string)) return { code: 'unknown_operation' };
      return homeOfReference(body['on'], options) === home
        ? { name: body['operation'] as string }
        : { code: 'wrong_destination' };
    case 'result':
      return homeOfReference(body['act'], options) === home
        ? { name: parseReference(body['act'] as string, options)!.id }
        : { code: 'wrong_destination' };
    case 'erased':
      return homeOfReference(body['id'], options) === origin
        ? { name: body['id'] as string }
        : { code: 'wrong_origin' };
    case 'state':
    case 'notice':
      return { name: body['kind'] as string };
    default:
      return { name: '' };
  }
}
