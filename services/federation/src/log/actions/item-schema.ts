import { isCanonicalAddress, parseAddress, parseReference } from '@hearth/addresses';
import {
  isJsonObject,
  isKid,
  type JsonObject,
  type JsonValue,
  parseInstant,
  readStrictObject,
} from '@hearth/signing';
import type { ItemType } from '../domain/item-types.ts';

/** A fault of an item: the member, such as `sender.status`, and the rule that it breaks. */
export interface Fault {
  path: string;
  rule: string;
}

/** The sending and the receiving home of an item. */
export interface SchemaOptions {
  origin: string;
  home: string;
  /** Names that may have a port, including this home's own. */
  devHomes: readonly string[];
  /** Whether this home knows this kind of state. */
  isKind(kind: string): boolean;
}

type Check = (value: unknown, path: string, options: SchemaOptions) => Fault | null;

const rule =
  (words: string, holds: (value: unknown, options: SchemaOptions) => boolean): Check =>
  (value, path, options) =>
    holds(value, options) ? null : { path, rule: words };

/** A member that may be absent. */
const optional =
  (check: Check): Check =>
  (value, path, options) =>
    value === undefined ? null : check(value, path, options);

/** An object with these members; other members are ignored. */
const members =
  (checks: Record<string, Check>): Check =>
  (value, path, options) => {
    if (!isJsonObject(value)) return { path, rule: 'must be an object' };
    for (const [name, check] of Object.entries(checks)) {
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      const fault = check(own, path === '' ? name : `${path}.${name}`, options);
      if (fault !== null) return fault;
    }
    return null;
  };

const oneOf = (...texts: string[]) =>
  rule(`must be ${texts.join(', ').replace(/, ([^,]*)$/, ' or $1')}`, (value) =>
    texts.includes(value as string),
  );
const form = (words: string, shape: RegExp) =>
  rule(words, (value) => typeof value === 'string' && shape.test(value));

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1;
const count = rule('must be an integer of at least 1', isCount);
const flag = rule('must be true or false', (value) => typeof value === 'boolean');
const isTrue = rule('must be true, or be left out', (value) => value === true);
const object = rule('must be an object', isJsonObject);
const partyId = form('must be 1 to 64 of A-Z a-z 0-9 _ -', /^[\w-]{1,64}$/);
const name = form('must be one line of 1 to 100 characters', /^[^\p{Cc}\u2028\u2029]{1,100}$/u);
const text = rule(
  'must be a text of at least one character',
  (value) => typeof value === 'string' && value !== '',
);
const instant = rule(
  'must be an instant in UTC, as 2026-01-15T10:00:00Z',
  (value) => parseInstant(value) !== null,
);

function homeIn(value: unknown, options: SchemaOptions): string | null {
  return typeof value === 'string' ? (parseReference(value, options)?.home ?? null) : null;
}

const reference = rule('must be r:<home>:<id>', (value, options) => homeIn(value, options) !== null);
const ofTheTwo = rule(
  'must be r:<home>:<id>, of the home that sends it or of the one that receives it',
  (value, options) => [options.origin, options.home].includes(homeIn(value, options) ?? ''),
);

/** Whether the value is a canonical address of that home, for that kind of party. */
function isAddress(value: unknown, { devHomes }: SchemaOptions, home: string, kind?: string): boolean {
  if (typeof value !== 'string' || !isCanonicalAddress(value, { devHomes })) return false;
  const address = parseAddress(value, { devHomes });
  return address?.home === home && (kind === undefined || address.kind === kind);
}

const partyAddress = rule(
  'must be the full address of a person or an AI of the home that sends it',
  (value, options) => ['person', 'ai'].some((kind) => isAddress(value, options, options.origin, kind)),
);
const personAddress = rule(
  'must be the full address of a person of the home that sends it',
  (value, options) => isAddress(value, options, options.origin, 'person'),
);
const aiAddress = rule('must be the full address of an AI of the home that sends it', (value, options) =>
  isAddress(value, options, options.origin, 'ai'),
);
const ownAddress = rule('must be a full address of the home that sends it', (value, options) =>
  isAddress(value, options, options.origin),
);

/** Proofs that a person acted themselves. */
const ownWords = ['tap', 'passkey', 'email'];
const proof = oneOf(...ownWords, 'key');
const via = oneOf('web', 'mcp', 'api', 'app', 'home');

const aiStatuses = ['claimed', 'vouched', 'unclaimed'];
const senderMembers = members({
  id: partyId,
  kind: oneOf('person', 'ai'),
  name,
  name_verified: flag,
  status: oneOf('person', ...aiStatuses),
  owner: optional(members({ address: personAddress, name })),
  owner_private: optional(isTrue),
});

/** Checks the rules between members of a sender, and between the sender and the address. */
function senderFault(item: JsonObject, options: SchemaOptions): Fault | null {
  const { from } = item;
  const fault = senderMembers(item['sender'], 'sender', options);
  if (fault !== null) return fault;
  const { kind, status, owner, owner_private: isPrivate } = item['sender'] as JsonObject;
  const isPerson = parseAddress(from as string, options)?.kind === 'person';
  if (kind !== (isPerson ? 'person' : 'ai'))
    return {
      path: 'sender.kind',
      rule: `must be ${isPerson ? 'person' : 'ai'}, as the address in from says`,
    };
  if (isPerson !== (status === 'person'))
    return {
      path: 'sender.status',
      rule: isPerson ? 'must be person for a person' : `must be ${aiStatuses.join(', ')} for an AI`,
    };
  if (status !== 'claimed' && owner !== undefined)
    return { path: 'sender.owner', rule: 'stands with the status claimed alone' };
  if (status !== 'claimed' && isPrivate !== undefined)
    return { path: 'sender.owner_private', rule: 'stands with the status claimed alone' };
  if (status === 'claimed' && (owner === undefined) === (isPrivate === undefined))
    return { path: 'sender.owner', rule: 'a claimed AI has one of owner and owner_private' };
  return null;
}

const mostRecipients = 20;

function recipientsFault({ to, type }: JsonObject, options: SchemaOptions): Fault | null {
  const isNeeded = type === 'message' || type === 'state';
  if (to === undefined && !isNeeded) return null;
  const least = isNeeded ? 1 : 0;
  if (!Array.isArray(to) || to.length < least || to.length > mostRecipients)
    return { path: 'to', rule: `must be a list of ${least} to ${mostRecipients} addresses` };
  const wrong = to.findIndex((address) => !isAddress(address, options, options.home));
  if (wrong >= 0)
    return {
      path: `to[${wrong}]`,
      rule: 'must be a full address of the home that receives it, in its canonical form',
    };
  return new Set(to).size < to.length ? { path: 'to', rule: 'must have no address twice' } : null;
}

/** An object of any JSON, as text: free data has its own limits on depth and numbers. */
const dataJson = rule('must be the JSON text of an object, without a member __proto__', (value) => {
  const read = typeof value === 'string' ? readStrictObject(value, { floats: true }) : null;
  return read !== null && !hasProto(read);
});

function hasProto(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto);
}

const requestKind = oneOf('personal', 'introduction', 'recruiting', 'sales', 'offer', 'other');
const kindOfState = rule(
  'must be a kind of state that this home knows',
  (value, { isKind }) => typeof value === 'string' && isKind(value),
);
const word = form('must be a word of at most 40 of a-z and _', /^[a-z_]{1,40}$/);
const operation = form('must be the id of an operation', /^[a-z_]{1,60}$/);

const notices: Record<string, Check> = {
  card_changed: members({ address: ownAddress, id: partyId }),
  moved: members({ address: ownAddress, was: ownAddress, id: partyId }),
  gone: members({ address: ownAddress, id: partyId }),
  key_revoked: members({
    kid: rule('must be the id of a key', (value) => typeof value === 'string' && isKid(value)),
    revoked_at: instant,
  }),
};

const bodies: Record<ItemType, Check> = {
  message: members({
    thread: ofTheTwo,
    reply_to: optional(ofTheTwo),
    title: optional(text),
    text,
    data_json: optional(dataJson),
    request_kind: requestKind,
    group: optional(ofTheTwo),
  }),
  state: members({ kind: kindOfState, object: members({ id: reference, final: optional(flag) }) }),
  act: members({
    on: reference,
    operation,
    request: object,
    seen_rev: optional(count),
    by: oneOf('person', 'ai', 'rule'),
    proof,
    via,
    for: optional(members({ id: partyId, address: personAddress, name: optional(name) })),
    owner_approved: optional(members({ by: oneOf('person', 'ai'), proof, via, ai: optional(aiAddress) })),
  }),
  result: members({
    act: reference,
    status: rule(
      'must be an HTTP status from 200 to 599',
      (value) => isCount(value) && /^[2-5]\d\d$/.test(String(value)),
    ),
    answer: optional(object),
    error: optional(members({ error: text, code: optional(text) })),
  }),
  erased: members({ id: reference, rev: count }),
  notice: members({ kind: word }),
  skip: members({}),
};

/** Checks the rules between members of a body. */
function bodyFault(type: ItemType, body: JsonObject, item: JsonObject, options: SchemaOptions): Fault | null {
  switch (type) {
    case 'state':
      return (body['object'] as JsonObject)['id'] === item['id']
        ? null
        : { path: 'body.object.id', rule: 'must be the id of the item' };
    case 'act':
      return actFault(body, item['sender'] as JsonObject);
    case 'result':
      if (body['error'] !== undefined && (body['status'] as number) < 400)
        return { path: 'body.error', rule: 'stands with a status from 400 on' };
      return body['error'] === undefined && (body['status'] as number) >= 400
        ? { path: 'body.error', rule: 'must stand with a status from 400 on' }
        : null;
    case 'notice':
      // An unknown kind is ignored, whatever its content.
      return Object.hasOwn(notices, body['kind'] as string)
        ? notices[body['kind'] as string]!(body, 'body', options)
        : null;
    default:
      return null;
  }
}

/** Operations that decline or leave: the only ones that a rule may call. */
const noes: unknown[] = [
  'reply_approval',
  'decline_agreement',
  'decline_move',
  'cancel_meeting',
  'withdraw_join',
  'leave_group',
];

/** A key acts for an AI or a rule, never for a person. */
function actFault(body: JsonObject, sender: JsonObject): Fault | null {
  const { by, operation: called, owner_approved: approved } = body;
  if (by !== 'rule' && by !== sender['kind'])
    return { path: 'body.by', rule: `must be ${sender['kind'] as string} or rule, as the sender is` };
  if (body['for'] !== undefined && sender['kind'] !== 'ai')
    return { path: 'body.for', rule: 'stands with an AI as sender alone' };
  if (by === 'rule' && !noes.includes(called))
    return { path: 'body.operation', rule: 'must be one by which a rule says no or leaves' };
  if (approved === undefined || !isJsonObject(approved)) return proofFault(body, 'body');
  if (called !== 'sign_agreement' || by !== 'ai')
    return { path: 'body.owner_approved', rule: 'stands with sign_agreement by an AI alone' };
  if (approved['ai'] !== undefined && approved['by'] !== 'ai')
    return { path: 'body.owner_approved.ai', rule: 'stands with an approval by an AI alone' };
  return proofFault(body, 'body') ?? proofFault(approved, 'body.owner_approved');
}

/** A person acts with their own proof, an AI or a rule with its key. */
function proofFault({ by, proof }: JsonObject, path: string): Fault | null {
  if (by !== 'person')
    return proof === 'key'
      ? null
      : { path: `${path}.proof`, rule: `must be key for ${by === 'ai' ? 'an AI' : 'a rule'}` };
  return ownWords.includes(proof as string)
    ? null
    : { path: `${path}.proof`, rule: 'must be tap, passkey or email for a person' };
}

const head = members({
  v: rule('must be 1', (value) => value === 1),
  id: reference,
  rev: count,
  seq: count,
  from: optional(partyAddress),
});

/**
 * Returns the first rule of docs/protocol/items.md that an item of a known type breaks, looking at every
 * member. Times and homes must be checked before.
 */
export function findFault(type: ItemType, item: JsonObject, given: SchemaOptions): Fault | null {
  const options = { ...given, devHomes: [...given.devHomes] };
  return (
    head(item, '', options) ??
    partiesFault(type, item, options) ??
    recipientsFault(item, options) ??
    bodies[type](item['body'], 'body', options) ??
    bodyFault(type, item['body'] as JsonObject, item, options)
  );
}

function partiesFault(type: ItemType, item: JsonObject, options: SchemaOptions): Fault | null {
  const isNeeded = type === 'message' || type === 'act';
  if (item['from'] === undefined && item['sender'] === undefined && !isNeeded) return null;
  if (item['from'] === undefined)
    return { path: 'from', rule: `must stand ${isNeeded ? `in ${type}` : 'beside sender'}` };
  return senderFault(item, options);
}
