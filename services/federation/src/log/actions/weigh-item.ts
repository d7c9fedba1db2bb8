import { isCanonicalAddress, parseAddress, parseReference } from '@hearth/addresses';
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

/** Codes by which an item is refused. */
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

/** An item whose form is good, for this home. */
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
  /** Kind of a state, operation of an act, object of what was erased, act of a result. */
  about: string;
}

export interface WeighOptions {
  /** The home that pushed it, and whose key signed it. */
  origin: string;
  home: string;
  /** Names that may carry a port; this home's own among them. */
  devHomes: readonly string[];
  now: number;
  /** Whether an operation may come from another home. */
  isFederated(operation: string): boolean;
  /** Whether this home knows states of that kind. */
  isKind(kind: string): boolean;
}

const mostAheadMs = 5 * minute;
const mostRecipients = 20;
const types: readonly string[] = ['message', 'state', 'act', 'result', 'erased', 'notice', 'skip'];

/** The times of an item, before its signature is looked at: its key must have been valid then. */
function timesOf(item: JsonObject): { issuedAt: number; expiresAt: number } | null {
  const [issuedAt, expiresAt] = [parseInstant(item['issued_at']), parseInstant(item['expires_at'])];
  return issuedAt === null || expiresAt === null ? null : { issuedAt, expiresAt };
}

/** The key that an item names; or the code by which it is refused before its key is looked for. */
export function claimedKey(item: JsonObject, origin: string): { kid: string } | ItemCode {
  if (typeof item['origin'] !== 'string') return 'bad_signature';
  if (item['origin'] !== origin) return 'wrong_origin';
  if (timesOf(item) === null) return 'schema';
  const kid = readClaimedKid(item['signature']);
  return kid === null ? 'bad_signature' : { kid };
}

/** Looks at an item, its signature first. @param listed the key that it names, as its home lists it; null where that counts for nothing */
export function weighSigned(
  item: JsonObject,
  listed: ListedKey | null,
  options: WeighOptions,
): WeighedItem | ItemCode {
  if (listed === null) return 'bad_signature';
  // Its own times are weighed later: a signature does not lapse.
  const by = { expectedType: 'svc-envelope+jws', home: options.origin, keys: [listed], now: 0 } as const;
  return verifyRecord(item, by).valid ? weighItem(item, options) : 'bad_signature';
}

/** Looks at an item whose signature is good: the item, or the code by which it is refused. */
export function weighItem(item: JsonObject, options: WeighOptions): WeighedItem | ItemCode {
  const { origin, home, now, devHomes } = options;
  const { type, id, rev, from, sender, to = [], body, destination } = item;
  const reference = typeof id === 'string' ? parseReference(id, { devHomes }) : null;
  const owned = type === 'state' || type === 'message';
  if (owned && reference !== null && reference.home !== origin) return 'wrong_origin';
  const author = from === undefined ? null : readRemote(from, options);
  if (author !== null && author !== undefined && author.home !== origin) return 'wrong_origin';
  if (destination !== home) return 'wrong_destination';
  const times = timesOf(item);
  if (times === null) return 'schema';
  if (times.expiresAt <= now) return 'expired';
  if (times.issuedAt > now + mostAheadMs) return 'clock';
  if (typeof type !== 'string' || !types.includes(type)) return 'unknown_type';
  if (times.expiresAt > times.issuedAt + longestMs) return 'schema';
  if (item['v'] !== 1 || reference === null || !Number.isSafeInteger(rev) || (rev as number) < 1)
    return 'schema';
  if (author === undefined || !isJsonObject(body)) return 'schema';
  const recipients = readRecipients(to, options);
  if (recipients === null || (owned && recipients.length === 0)) return 'schema';
  if ((type === 'message' || type === 'act') && (author === null || !isJsonObject(sender))) return 'schema';
  if (sender !== undefined && !isJsonObject(sender)) return 'schema';
  const about = readBody(type as ItemType, body, item, options);
  if ('code' in about) return about.code;
  if (Buffer.byteLength(JSON.stringify(item)) > inboxLimits.max_item) return 'too_large';
  return {
    ...times,
    type: type as ItemType,
    id: id as string,
    rev: rev as number,
    from: author === null ? '' : (from as string),
    sender: isJsonObject(sender) ? sender : null,
    to: recipients,
    body,
    about: about.name,
  };
}

/** Undefined for what is no address of another home. */
function readRemote(text: unknown, { devHomes }: WeighOptions) {
  const address = readCanonical(text, devHomes);
  return address?.home === undefined ? undefined : address;
}

function readCanonical(text: unknown, devHomes: readonly string[]) {
  return typeof text === 'string' && isCanonicalAddress(text, { devHomes })
    ? parseAddress(text, { devHomes })
    : null;
}

function readRecipients(to: unknown, { devHomes, home }: WeighOptions): string[] | null {
  if (!Array.isArray(to) || to.length > mostRecipients) return null;
  const local = to.map((text) => {
    const address = readCanonical(text, devHomes);
    if (address?.home !== home) return null;
    const own = (text as string).slice(0, -home.length - 1);
    return own.startsWith('&') ? own : `@${own}`;
  });
  return local.includes(null) || new Set(local).size < local.length ? null : (local as string[]);
}

const vias = ['web', 'mcp', 'api', 'app', 'home'];
/** Proofs of a person's own word. */
const ownWords = ['tap', 'passkey', 'email'];

/** The operations by which one says no or leaves: a rule answers in no other way. */
const noes = [
  'reply_approval',
  'decline_agreement',
  'decline_move',
  'cancel_meeting',
  'withdraw_join',
  'leave_group',
];

/** Whether the word of an act can have been given so: a key speaks for an AI or a rule, and never for a person. */
function isGiven(by: 'person' | 'ai' | 'rule', { proof, via }: JsonObject, operation: string): boolean {
  if (typeof proof !== 'string' || typeof via !== 'string') return false;
  if (!vias.includes(via)) return false;
  if (by === 'person') return ownWords.includes(proof);
  if (by === 'rule') return proof === 'key' && noes.includes(operation);
  // The person of an AI approves an agreement with the signature of the AI.
  return proof === 'key' || (operation === 'sign_agreement' && ownWords.includes(proof));
}

type Read = { name: string } | { code: ItemCode };

function readBody(type: ItemType, body: JsonObject, item: JsonObject, options: WeighOptions): Read {
  const { origin, home, devHomes } = options;
  const schema: Read = { code: 'schema' };
  const referenceOf = (value: unknown) =>
    typeof value === 'string' ? parseReference(value, { devHomes }) : null;
  switch (type) {
    case 'state': {
      const { kind, object } = body;
      if (typeof kind !== 'string' || !options.isKind(kind) || !isJsonObject(object)) return schema;
      return object['id'] === item['id'] ? { name: kind } : schema;
    }
    case 'act': {
      const { operation, request, by } = body;
      const on = referenceOf(body['on']);
      if (typeof operation !== 'string' || !isJsonObject(request) || on === null) return schema;
      if (by !== 'person' && by !== 'ai' && by !== 'rule') return schema;
      if (!isGiven(by, body, operation)) return schema;
      if (!options.isFederated(operation)) return { code: 'unknown_operation' };
      return on.home === home ? { name: operation } : { code: 'wrong_destination' };
    }
    case 'result': {
      const act = referenceOf(body['act']);
      if (act === null || !Number.isSafeInteger(body['status'])) return schema;
      return act.home === home ? { name: act.id } : { code: 'wrong_destination' };
    }
    case 'erased': {
      const object = referenceOf(body['id']);
      if (object === null || !Number.isSafeInteger(body['rev'])) return schema;
      return object.home === origin ? { name: body['id'] as string } : { code: 'wrong_origin' };
    }
    case 'message':
      return typeof body['text'] === 'string' && referenceOf(body['thread']) !== null ? { name: '' } : schema;
    case 'notice':
      return typeof body['kind'] === 'string' ? { name: body['kind'] } : schema;
    case 'skip':
      return { name: '' };
  }
}
