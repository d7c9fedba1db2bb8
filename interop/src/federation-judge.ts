import type * as Answers from '@hearth/federation/log/answer';
import type * as HeldItems from '@hearth/federation/log/held-items';
import type * as Items from '@hearth/federation/log/item';
import type * as Pushes from '@hearth/federation/log/push';
import type * as Weighing from '@hearth/federation/log/weigh-item';
import type * as Objects from '@hearth/home-acts';
import { stateShapes } from '@hearth/home-acts';
import type * as Requests from '@hearth/http-signatures';
import { createReader } from '@hearth/proto-json';
import { type JsonObject, keyFrom, type ListedKey } from '@hearth/signing';
import type { ItemCase } from './item-vectors.ts';
import type { AnswerCase, ConversationCase, PushCase } from './log-vectors.ts';
import type { RequestBytes, RequestCase } from './request-vectors.ts';
import type { StateCase } from './state-vectors.ts';

/** The part of our program that judges bytes of another home. */
export type Reader = Pick<typeof Requests, 'readRequest' | 'requireFresh' | 'verifyRequest'> &
  Pick<typeof Answers, 'judgeAnswer'> &
  Pick<typeof HeldItems, 'answerByHeld' | 'follows' | 'heldFrom' | 'isHeld'> &
  Pick<typeof Items, 'equalityDigest'> &
  Pick<typeof Objects, 'readObject'> &
  Pick<typeof Pushes, 'readPush'> &
  Pick<typeof Weighing, 'claimedKey' | 'weighSigned'>;

/** A home of the vectors: its endpoint, and its keys as its document lists them. */
export interface VectorHome {
  endpoint: string;
  keys: ListedKey[];
}

export interface FederationFile<Case> {
  about: string;
  /** The time at which everything is read. */
  now: string;
  homes: Record<string, VectorHome>;
  seeds: { name: string; kid: string; seed_hex: string }[];
  kinds?: string[];
  operations?: string[];
  cases: Case[];
}

/** The vectors of requests, items, states, the log and whole conversations. */
export interface FederationVectors {
  requests: FederationFile<RequestCase>;
  items: FederationFile<ItemCase>;
  states: FederationFile<StateCase>;
  log: FederationFile<never> & { pushes: PushCase[]; answers: AnswerCase[] };
  conversations: FederationFile<ConversationCase>;
}

const sender = 'home.example';
const receiver = 'other.example';

function keyOf(
  homes: Record<string, VectorHome>,
  origin: string,
  wanted: { kid: string; use: 'request' | 'record'; now: number },
) {
  const home = homes[origin];
  if (home === undefined) return null;
  const document = { keys: home.keys, valid_until: '9999-01-01T00:00:00Z' } as never;
  const found = keyFrom({ document, nextSince: {}, revoked: [], waiting: null }, wanted);
  return typeof found === 'string' ? null : found;
}

interface Refused {
  status: number;
  code: string;
}

/** Reads a request with a valid signature; otherwise returns the refusal. */
function readSigned(
  reader: Reader,
  homes: Record<string, VectorHome>,
  at: { home: string; now: number },
  { method, path, headers, body }: RequestBytes,
): { origin: string; nonce: string; base: string } | Refused {
  try {
    const request = { method, path, headers, body: Buffer.from(body) };
    const read = reader.readRequest(request, { home: at.home, endpoint: homes[at.home]!.endpoint });
    reader.requireFresh(read, at.now);
    const key = keyOf(homes, read.origin, { kid: read.kid, use: 'request', now: at.now });
    if (key === null) return { status: 401, code: 'unknown_key' };
    reader.verifyRequest(read, key.publicKey.keyObject);
    if (read.version !== '1') return { status: 400, code: 'bad_version' };
    return {
      origin: read.origin,
      nonce: `${read.origin} ${read.kid} ${read.nonce}`,
      base: read.base.toString(),
    };
  } catch (error) {
    const { name, code } = error as { name: string; code: keyof typeof Requests.refusalStatus };
    if (name !== 'RequestRefused') throw error;
    return {
      code,
      status: { unsupported_media_type: 415, wrong_destination: 421, bad_signature: 401, clock: 401 }[code],
    };
  }
}

export function answerRequest(reader: Reader, { homes, now }: FederationFile<unknown>, request: RequestCase) {
  const read = readSigned(
    reader,
    homes,
    { home: receiver, now: Date.parse(request.now ?? now) },
    request.request,
  );
  return 'code' in read
    ? { valid: false, status: read.status, code: read.code }
    : { valid: true, base: read.base };
}

function weigh(
  reader: Reader,
  { homes, kinds = [], operations = [] }: Pick<FederationFile<unknown>, 'homes' | 'kinds' | 'operations'>,
  at: { origin: string; home: string; now: number },
  item: JsonObject,
) {
  const claimed = reader.claimedKey(item, at.origin);
  if ('code' in claimed) return claimed;
  const key = keyOf(homes, at.origin, { kid: claimed.kid, use: 'record', now: at.now });
  return reader.weighSigned(item, key?.listed ?? null, {
    ...{ ...at, devHomes: [] },
    isFederated: (operation) => operations.includes(operation),
    isKind: (kind) => kinds.includes(kind),
  });
}

export function answerItem(reader: Reader, file: FederationFile<ItemCase>, vector: ItemCase) {
  const item = structuredClone(vector.item) as JsonObject;
  const weighed = weigh(reader, file, { origin: sender, home: receiver, now: Date.parse(file.now) }, item);
  return 'code' in weighed
    ? { status: 'rejected', code: weighed.code, ...(weighed.path !== undefined && { path: weighed.path }) }
    : { status: 'ok', digest: reader.equalityDigest(item).toString('hex') };
}

/** Reads states of other homes. */
const answers = createReader({ bounds: new Map(), ignoreUnknown: true, answers: true });

export function answerState({ readObject }: Pick<Reader, 'readObject'>, { kind, id, object }: StateCase) {
  const parts = { homeNames: { ownHome: receiver }, reader: answers };
  const read = readObject(parts, { kind, desc: stateShapes[kind]!.desc }, { id, home: sender, object });
  return 'refused' in read ? { status: 'rejected', path: read.path } : { status: 'ok' };
}

export function answerPush(
  reader: Reader,
  now: string,
  { body, body_base64 }: PushCase,
  homes = { origin: sender, home: receiver },
) {
  const bytes = body === undefined ? Buffer.from(body_base64!, 'base64') : Buffer.from(body);
  try {
    const { epoch, first, last } = reader.readPush(bytes, { ...homes, now: Date.parse(now) });
    return { epoch, first, last };
  } catch (error) {
    const { name, code, index } = error as { name: string; code: string; index: number | undefined };
    if (name !== 'PushRefused') throw error;
    return { code, ...(index !== undefined && { index }) };
  }
}

export function answerAnswer(reader: Reader, { push, status, body }: AnswerCase) {
  const judged = reader.judgeAnswer(push, { status, body: Buffer.from(body), retryAfterMs: null });
  if (judged.what !== 'taken') return { means: judged.what };
  const results = judged.results.map((result) => (result.status === 'delivered' ? 'delivered' : result.code));
  return { means: judged.what, seq: judged.seq, results };
}

/** A home as other homes see it: its position, its copy of another home's log, and its own log. */
interface State {
  has: { epoch: number; seq: number };
  held: HeldItems.Held;
}

/** Returns the response to each step of a conversation between homes that start empty. */
export function answerConversation(
  reader: Reader,
  file: FederationFile<ConversationCase>,
  { steps, logs = {} }: ConversationCase,
): { status: number; body: object }[] {
  const states: Record<string, State> = {};
  const fresh = (): State => ({ has: { epoch: 0, seq: 0 }, held: reader.heldFrom([], new Set()) });
  const after: State[] = [];
  const nonces = new Set<string>();
  return steps.map(({ at, to, request, restored_to: restored }) => {
    const state: State = structuredClone(
      restored === undefined ? (states[to] ?? fresh()) : after[restored - 1]!,
    );
    // A clone does not preserve Buffers.
    for (const [place, digest] of state.held.digests) state.held.digests.set(place, Buffer.from(digest));
    states[to] = state;
    const answer = answerStep(state);
    after.push(structuredClone(state));
    return answer;

    function answerStep(mine: State): { status: number; body: object } {
      const now = Date.parse(at);
      const read = readSigned(reader, file.homes, { home: to, now }, request);
      if ('code' in read) return { status: read.status, body: { code: read.code } };
      if (nonces.has(read.nonce)) return { status: 401, body: { code: 'replayed' } };
      nonces.add(read.nonce);
      const { origin } = read;
      if (request.method === 'GET') return answerGet(logs[to] ?? { epoch: 0, items: [] }, request.path);
      let push: ReturnType<Reader['readPush']>;
      try {
        push = reader.readPush(Buffer.from(request.body), { origin, home: to, now });
      } catch (error) {
        const { code, index } = error as { code: string; index: number | undefined };
        return { status: 400, body: { code, ...(index !== undefined && { index }) } };
      }
      const { epoch, first, last, items } = push;
      if (!reader.follows(mine.has, epoch, first))
        return { status: 409, body: { code: 'out_of_step', ...mine.has } };
      const results = items.map((item) => {
        const digest = reader.equalityDigest(item);
        const weighed = reader.isHeld(mine.held, item, digest)
          ? null
          : weigh(reader, file, { origin, home: to, now }, item);
        const { id, rev } = item as { id: string; rev: number };
        return reader.answerByHeld(mine.held, { item, digest, weighed }) ?? { id, rev, status: 'ok' };
      });
      mine.has = { epoch, seq: epoch > mine.has.epoch ? last : Math.max(last, mine.has.seq) };
      return { status: 200, body: { ...mine.has, results } };
    }
  });
}

function answerGet(
  { epoch, items }: { epoch: number; items: unknown[] },
  path: string,
): { status: number; body: object } {
  const query = new URLSearchParams(path.split('?')[1]);
  const [of, after, limit] = ['epoch', 'after', 'limit'].map(
    (name) => query.get(name) ?? (name === 'limit' ? '50' : '0'),
  );
  if (![of, after, limit].every((text) => /^\d{1,15}$/.test(text!)))
    return { status: 400, body: { code: 'bad_batch' } };
  if (Number(of) !== epoch) return { status: 409, body: { code: 'out_of_step', epoch, seq: items.length } };
  const page = items.slice(Number(after), Number(after) + Number(limit));
  const more = Number(after) + page.length < items.length;
  return { status: 200, body: { epoch, items: page, more, last: items.length } };
}

/** The responses that a conversation expects: for an error its code and the position of the log. */
export function expectedAnswers({ steps }: ConversationCase): { status: number; body: object }[] {
  return steps.map(({ answer: { status, body } }) => {
    const { error: _, ...members } = JSON.parse(body) as Record<string, unknown>;
    return { status, body: members };
  });
}

/** A case's expectation: its members without the name and the inputs. */
export function expected<Case extends object>(vector: Case, inputs: readonly (keyof Case)[]): object {
  return Object.fromEntries(Object.entries(vector).filter(([name]) => !inputs.includes(name as keyof Case)));
}

/** Yields the names of the vectors that a reader answers differently. */
export function* failedFederation(reader: Reader, vectors: FederationVectors): Generator<string> {
  const { requests, items, states, log, conversations } = vectors;
  for (const request of requests.cases)
    if (!same(answerRequest(reader, requests, request), expected(request, ['name', 'now', 'request'])))
      yield `requests.json: ${request.name}`;
  for (const item of items.cases)
    if (!same(answerItem(reader, items, item), expected(item, ['name', 'item'])))
      yield `items.json: ${item.name}`;
  for (const vector of states.cases)
    if (!same(answerState(reader, vector), expected(vector, ['name', 'kind', 'id', 'object'])))
      yield `states.json: ${vector.name}`;
  for (const push of log.pushes)
    if (!same(answerPush(reader, log.now, push), expected(push, ['name', 'body', 'body_base64'])))
      yield `log.json: ${push.name}`;
  for (const answer of log.answers)
    if (!same(answerAnswer(reader, answer), expected(answer, ['name', 'push', 'status', 'body'])))
      yield `log.json: ${answer.name}`;
  for (const vector of conversations.cases)
    if (!same(answerConversation(reader, conversations, vector), expectedAnswers(vector)))
      yield `conversations.json: ${vector.name}`;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
