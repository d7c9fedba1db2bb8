import * as answers from '@hearth/federation/log/answer';
import * as held from '@hearth/federation/log/held-items';
import * as items from '@hearth/federation/log/item';
import * as pushes from '@hearth/federation/log/push';
import * as weighing from '@hearth/federation/log/weigh-item';
import * as objects from '@hearth/home-acts';
import * as requests from '@hearth/http-signatures';
import { type JsonObject, keyFrom, parseStrictJson, receiveDocument, signRecord } from '@hearth/signing';
import { answerPush, type Reader } from './federation-judge.ts';
import { items as goodItems, sign } from './item-vectors.ts';
import { pushCases } from './log-vectors.ts';
import { home, homeDocument, homeKey, listedKeys, now } from './material.ts';
import { type RequestBytes, reader as readerHome, requestCases } from './request-vectors.ts';

const reader: Reader = { ...objects, ...requests, ...answers, ...held, ...items, ...pushes, ...weighing };
const at = Date.parse(now);

/** Draws whole numbers below a bound, the same sequence for each seed. */
export type Draw = (below: number) => number;

/** mulberry32 */
function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** JSON values that a reader may not expect. */
const odd = [
  ...[
    'null',
    'true',
    '0',
    '-0',
    '-1',
    '1.5',
    '1e400',
    '9007199254740991',
    '9007199254740992',
    '1'.repeat(400),
  ],
  ...[
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\u2028"',
    '"x"',
    '"r:home.example:a"',
    '"ole@other.example"',
  ],
  ...['[]', '{}', '[[]]', '{"__proto__":{}}', '{"constructor":1}', '{"":""}', '[null]', '{"a":1,"a":2}'],
  ...[
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"2026-01-15T12:00:00Z"',
    '"2026-02-30T12:00:00Z"',
    '"EdDSA"',
  ],
  ...['[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]'],
];
const pieces = [
  ...[
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ';',
    '=',
    '(',
    ')',
    '?',
    '#',
    '%',
    '%00',
    '\0',
    '\ufeff',
    '\ud800',
  ],
  ...[
    '\\u',
    '\\ud83d',
    '-',
    '.',
    'e9',
    ' ',
    '\n',
    '\t',
    'é',
    '👩‍🚀',
    '/',
    '..',
    '&',
    '@',
    ':AAAA:',
    ';tag="home/1"',
  ],
];

/** Makes one edit at a random position of a text. */
function editText(text: string, draw: Draw): string {
  const [from, length] = [draw(text.length + 1), draw(12)];
  const piece = pieces[draw(pieces.length)]!;
  switch (draw(7)) {
    case 0:
      return text.slice(0, from) + text.slice(from + length);
    case 1:
      return text.slice(0, from) + piece + text.slice(from);
    case 2:
      return text.slice(0, from) + piece + text.slice(from + length);
    case 3:
      return text.slice(0, from);
    case 4:
      return text.slice(0, from) + text.slice(from, from + length * 4) + text.slice(from);
    case 5:
      return text.slice(0, from) + piece.repeat(1 + draw(2_000)) + text.slice(from);
    default:
      return text.slice(from, from + length * 9) + text;
  }
}

type Place = { of: JsonObject | unknown[]; name: string | number };

function placesIn(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    found.push({ of: value as JsonObject, name });
    placesIn((value as Record<string | number, unknown>)[name], found);
  }
  return found;
}

const mark = '\u0001';

/** Makes one edit of a JSON value that keeps its form: removes, doubles or renames a member, or replaces a value. */
function editJson(value: unknown, draw: Draw): string {
  const copy = structuredClone(value);
  const places = placesIn(copy);
  const { of, name } = places[draw(places.length)]!;
  const holder = of as Record<string | number, unknown>;
  const put = odd[draw(odd.length)]!;
  switch (draw(6)) {
    case 0:
      if (Array.isArray(of)) of.splice(Number(name), 1);
      else delete holder[name];
      return JSON.stringify(copy);
    case 1: {
      const other = places[draw(places.length)]!;
      holder[name] = structuredClone((other.of as Record<string | number, unknown>)[other.name]);
      return JSON.stringify(copy);
    }
    case 2:
      if (typeof holder[name] === 'string') holder[name] = editText(holder[name], draw);
      return JSON.stringify(copy);
    case 3:
      if (!Array.isArray(of)) holder[`${name}${pieces[draw(pieces.length)]}`] = holder[name];
      return JSON.stringify(copy);
    case 4:
      // Doubles a member, or repeats it with another spelling.
      if (Array.isArray(of)) of.push(...Array(draw(60)).fill(holder[name]));
      return JSON.stringify(copy).replace(`"${name}":`, `"${name}":${put},"${name}":`);
    default:
      holder[name] = mark;
      return JSON.stringify(copy).replace(JSON.stringify(mark), () => put);
  }
}

function edits(text: string, value: unknown, draw: Draw): string {
  let edited = draw(4) === 0 ? text : editJson(value, draw);
  for (let more = draw(3); more > 0; more -= 1) edited = editText(edited, draw);
  return edited;
}

/** Large and hostile texts, which expose parsers that take more than linear time. */
const bombs = [
  '['.repeat(130_000),
  '{"a":'.repeat(40_000),
  `{"items":[${'{},'.repeat(60_000)}{}]}`,
  `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join(',')}}`,
  `"${'\\u0041'.repeat(40_000)}"`,
  `{"a":"${'\\\\'.repeat(100_000)}`,
  `{"a":"${'é'.repeat(60_000)}"}`,
  '1'.repeat(200_000),
  `${' '.repeat(200_000)}x`,
];

type Parser = 'document' | 'request' | 'push' | 'item';
/** Tried in turn; a document takes longest. */
const parsers: readonly Parser[] = [
  'document',
  'request',
  'push',
  'item',
  'push',
  'request',
  'push',
  'item',
  'push',
  'push',
];

const goodDocument = signRecord(homeDocument, { key: homeKey.pair, typ: 'svc-home+jws' });
const keptDocument = receiveDocument(null, parseStrictJson(JSON.stringify(goodDocument)), {
  home,
  now: at,
}).kept;
const goodRequests = requestCases().filter(({ valid }) => valid);
const goodPushes = pushCases().filter(({ epoch }) => epoch !== undefined);
const signedItems = Object.values(goodItems).map((item) => sign(item));
const requestKey = listedKeys.map(({ kid }) => kid);

/**
 * Gives a parser one input derived from valid bytes. Returns `taken` or `refused`, and throws where the parser breaks
 * its contract.
 */
const tries: Record<Parser, (draw: Draw) => string> = {
  document: (draw) => edits(JSON.stringify(goodDocument), goodDocument, draw),
  request: (draw) => {
    const { request } = goodRequests[draw(goodRequests.length)]!;
    return JSON.stringify(draw(2) === 0 ? editedRequest(request, draw) : request);
  },
  push: (draw) => {
    const { body } = goodPushes[draw(goodPushes.length)]!;
    return edits(body!, JSON.parse(body!), draw);
  },
  item: (draw) => {
    const item = signedItems[draw(signedItems.length)]!;
    if (draw(2) === 0) return edits(JSON.stringify(item), item, draw);
    // Signed correctly, whatever it contains.
    try {
      const { signature: _, ...rest } = JSON.parse(editJson(item, draw)) as JsonObject;
      return JSON.stringify(sign(rest));
    } catch {
      return JSON.stringify(item);
    }
  },
};

function editedRequest(request: RequestBytes, draw: Draw): RequestBytes {
  const { method, path, headers, body } = structuredClone(request);
  const line = headers[draw(headers.length)]!;
  switch (draw(5)) {
    case 0:
      return { method, path: editText(path, draw), headers, body };
    case 1:
      return { method, path, headers, body: editText(body, draw) };
    case 2:
      return { method, path, headers: headers.filter((each) => each !== line), body };
    case 3:
      return { method, path, headers: [...headers, [line[0], editText(line[1], draw)]], body };
    default:
      line[1] = editText(line[1], draw);
      return { method, path, headers, body };
  }
}

function readItem(item: JsonObject): boolean {
  items.equalityDigest(item);
  const claimed = weighing.claimedKey(item, home);
  if ('code' in claimed) return false;
  const listed = listedKeys.find(({ kid }) => kid === claimed.kid) ?? null;
  const weighed = weighing.weighSigned(item, listed, {
    ...{ origin: home, home: readerHome.home, devHomes: [], now: at },
    isFederated: (operation) => operation === 'reply_approval',
    isKind: (kind) => kind === 'ask',
  });
  return !('code' in weighed);
}

/** True if the parser accepts these bytes. @throws every error that the parser does not declare */
const reads: Record<Parser, (text: string) => boolean> = {
  document(text) {
    const value = declared(() => parseStrictJson(Buffer.from(text)));
    if (value === undefined) return false;
    const { verdict } = receiveDocument(keptDocument, value, { home, now: at + 1 });
    return verdict === 'accepted' || verdict === 'unchanged';
  },
  request(text) {
    const { method, path, headers, body } = JSON.parse(text) as RequestBytes;
    try {
      const read = requests.readRequest({ method, path, headers, body: Buffer.from(body) }, readerHome);
      requests.requireFresh(read, at);
      if (!requestKey.includes(read.kid)) return false;
      const key = keyFrom(keptDocument, { kid: read.kid, use: 'request', now: at });
      if (typeof key === 'string') return false;
      requests.verifyRequest(read, key.publicKey.keyObject);
      return true;
    } catch (error) {
      if (error instanceof requests.RequestRefused) return false;
      throw error;
    }
  },
  push(text) {
    return !('code' in answerPush(reader, now, { name: '', body: text }));
  },
  item(text) {
    const value = declared(() => parseStrictJson(Buffer.from(text), { maxBytes: 262_144 }));
    return typeof value === 'object' && value !== null && !Array.isArray(value) && readItem(value);
  },
};

function declared<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as Error).name === 'HearthError') return undefined;
    throw error;
  }
}

export interface FuzzOptions {
  count: number;
  seed: number;
  /** Milliseconds of CPU allowed per input. */
  mostMs: number;
}

export interface Fuzzed {
  count: Record<Parser, { taken: number; refused: number }>;
  slowestMs: number;
  /** Bytes by which the heap grew after the first thousand inputs. */
  grownBytes: number;
  /** Inputs on which a parser threw an undeclared error, or took too long. */
  faults: { parser: Parser; number: number; why: string; input: string }[];
}

/** Feeds the four parsers of untrusted bytes mutated and hostile inputs. */
export function fuzz({ count, seed, mostMs }: FuzzOptions): Fuzzed {
  const fuzzed: Fuzzed = {
    count: Object.fromEntries(
      Object.keys(reads).map((parser) => [parser, { taken: 0, refused: 0 }]),
    ) as Fuzzed['count'],
    ...{ slowestMs: 0, grownBytes: 0, faults: [] },
  };
  let began = 0;
  const all = Object.keys(reads) as Parser[];
  const total = count + bombs.length * all.length;
  for (let number = 0; number < total && fuzzed.faults.length < 10; number += 1) {
    if (number === 1_000) began = heapAfterCollecting();
    const bomb = number - count;
    const parser = bomb < 0 ? parsers[number % parsers.length]! : all[bomb % all.length]!;
    const input =
      bomb < 0
        ? tries[parser](drawFrom(seed + number * 7))
        : hostile(parser, bombs[Math.floor(bomb / all.length)]!);
    const why = tryOne(parser, input, fuzzed, mostMs);
    if (why !== null) fuzzed.faults.push({ parser, number, why, input: input.slice(0, 2_000) });
  }
  fuzzed.grownBytes = heapAfterCollecting() - began;
  return fuzzed;
}

function hostile(parser: Parser, bomb: string): string {
  if (parser !== 'request') return bomb;
  const { request } = goodRequests[0]!;
  const headers = request.headers.map(([name, value]): [string, string] => [
    name,
    name === 'signature-input' ? `${value}, x=${bomb.slice(0, 8_000)}` : value,
  ]);
  return JSON.stringify({ ...request, headers, path: `/inbox?${'%41'.repeat(5_000)}` });
}

function tryOne(parser: Parser, input: string, fuzzed: Fuzzed, mostMs: number): string | null {
  try {
    const [taken, ms] = timed(() => reads[parser](input));
    fuzzed.count[parser][taken ? 'taken' : 'refused'] += 1;
    fuzzed.slowestMs = Math.max(fuzzed.slowestMs, ms);
    return ms > mostMs ? `took ${Math.round(ms)} ms` : null;
  } catch (error) {
    return String((error as Error).stack);
  }
}

/** Measures CPU time of this thread, because wall time also counts other processes. */
function timed<Value>(run: () => Value): [Value, number] {
  const start = process.threadCpuUsage();
  const value = run();
  const { user, system } = process.threadCpuUsage(start);
  return [value, (user + system) / 1_000];
}

function heapAfterCollecting(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}
