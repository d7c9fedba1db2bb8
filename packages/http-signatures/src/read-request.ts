import type { KeyObject } from 'node:crypto';
import { isKid, verifyBytes } from '@hearth/signing';
import {
  type Dictionary,
  type InnerList,
  type Parameters,
  parseDictionary,
  serializeInnerList,
} from 'structured-headers';
import { isDigestOf } from './content-digest.ts';
import { algorithm, coveredParts, longestSeconds, mostAheadSeconds, signatureBase, tag } from './profile.ts';
import { targetUri } from './request-target.ts';

/** A received request. */
export interface IncomingRequest {
  method: string;
  /** The part after the endpoint, with its query. */
  path: string;
  /** One entry per header line, names in lower case. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Empty if there is no body. */
  body: Uint8Array;
}

/** The home that reads the request. */
export interface Reader {
  /** Its name. */
  home: string;
  /** As in its own document, without a trailing slash. */
  endpoint: string;
}

/** Refusal codes and their HTTP statuses. */
export const refusalStatus = {
  unsupported_media_type: 415,
  wrong_destination: 421,
  bad_signature: 401,
  clock: 401,
} as const;

export type RefusalCode = keyof typeof refusalStatus;

/** Thrown for a refused request; the message is for the other home's operator. */
export class RequestRefused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'RequestRefused';
    this.code = code;
  }
}

/** A parsed request. Nothing in it is trustworthy before `verifyRequest`. */
export interface ReadRequest {
  origin: string;
  kid: string;
  /** As received; anything but "1" is refused once the signature is verified. */
  version: string;
  /** Seconds since 1970. */
  created: number;
  expires: number;
  nonce: string;
  /** The signature base. */
  base: Buffer;
  signature: Buffer;
  digest: string | null;
  body: Uint8Array;
}

const mostHeaderCharacters = 8_192;
const originForm = /^[a-z0-9.:-]{1,260}$/;
const nonceForm = /^[A-Za-z0-9_-]{22}$/;
const parameterNames = ['created', 'expires', 'nonce', 'keyid', 'tag', 'alg'];

/**
 * Parses the signature between homes; applies every rule that needs neither a clock nor a key.
 *
 * @throws RequestRefused
 */
export function readRequest(request: IncomingRequest, reader: Reader): ReadRequest {
  const { method, body } = request;
  const hasBody = body.length > 0;
  const headers = Map.groupBy(request.headers, ([name]) => name);
  const once = (name: string): string => {
    const lines = headers.get(name) ?? [];
    if (lines.length !== 1) throw bad(`the header ${name} must come once`);
    return lines[0]![1].trim();
  };
  if (headers.has('content-encoding')) throw media('content-encoding is not taken');
  if (hasBody && headers.get('content-type')?.[0]?.[1].trim() !== 'application/json')
    throw media('content-type must be application/json');
  const destination = once('home-destination');
  if (destination !== reader.home)
    throw new RequestRefused('wrong_destination', `this home is ${reader.home}`);
  const origin = once('home-origin');
  if (!originForm.test(origin)) throw bad('home-origin is not the name of a home');
  const target = targetUri(reader.endpoint, request.path);
  if (target === null) throw bad('the path holds an escape that is none');
  const covered = coveredParts(hasBody);
  const values = new Map(covered.filter((part) => !part.startsWith('@')).map((part) => [part, once(part)]));
  values.set('@method', method).set('@target-uri', target);

  const { name, list } = findInput(joined(headers.get('signature-input')));
  const [parts, parameters] = list;
  const named = parts.map(([part]) => part);
  if (parts.some(([, given]) => given.size > 0)) throw bad('what is covered has no parameters');
  if (named.length !== covered.length || !covered.every((part) => named.includes(part)))
    throw bad(`the signature must cover exactly ${covered.join(' ')}`);
  const { kid, ...signed } = readParameters(parameters, origin);
  return {
    origin,
    kid,
    ...signed,
    version: values.get('home-version')!,
    base: signatureBase(named as string[], (part) => values.get(part)!, serializeInnerList(list)),
    signature: findSignature(joined(headers.get('signature')), name),
    digest: values.get('content-digest') ?? null,
    body,
  };
}

/** @throws RequestRefused if the signature is expired or dated too far ahead; @param now milliseconds since 1970 */
export function requireFresh({ created, expires }: ReadRequest, now: number): void {
  const seconds = now / 1_000;
  if (created > seconds + mostAheadSeconds)
    throw new RequestRefused('clock', 'created lies more than 300 seconds ahead');
  if (expires <= seconds) throw new RequestRefused('clock', 'expires has passed');
}

/** @throws RequestRefused if the digest doesn't match the body, or the signature doesn't match the key */
export function verifyRequest({ digest, body, base, signature }: ReadRequest, key: KeyObject): void {
  if (digest !== null && !isDigestOf(digest, body)) throw bad('content-digest is not that of the body');
  if (!verifyBytes(key, base, signature)) throw bad('the signature does not fit the request');
}

function findInput(header: string): { name: string; list: InnerList } {
  const { members, plain } = parse(header);
  const ours = [...members].filter(([, [, parameters]]) => parameters.get('tag') === tag);
  if (ours.length !== 1) throw bad(`signature-input must have one signature with tag="${tag}"`);
  const [name, list] = ours[0]!;
  if (!Array.isArray(list[0])) throw bad('signature-input must say what is covered');
  const at = [...members.keys()].indexOf(name);
  if (plain[at]!.split(';').length - 1 !== list[1].size) throw bad('a parameter stands twice');
  return { name, list: list as InnerList };
}

function findSignature(header: string, name: string): Buffer {
  const { members } = parse(header);
  const [value, parameters] = members.get(name) ?? [];
  if (!(value instanceof ArrayBuffer) || parameters?.size !== 0)
    throw bad('signature lacks the bytes of that label');
  return Buffer.from(value);
}

function readParameters(parameters: Parameters, origin: string) {
  for (const name of parameters.keys())
    if (!parameterNames.includes(name)) throw bad(`the parameter ${name} is not taken`);
  const alg = parameters.get('alg');
  if (alg !== undefined && alg !== algorithm) throw bad(`alg must be ${algorithm}`);
  const [created, expires] = [parameters.get('created'), parameters.get('expires')];
  if (!Number.isSafeInteger(created) || !Number.isSafeInteger(expires))
    throw bad('created and expires must be whole seconds');
  const [from, until] = [created as number, expires as number];
  if (until - from < 1 || until - from > longestSeconds)
    throw bad(`expires must lie 1 to ${longestSeconds} seconds after created`);
  const nonce = parameters.get('nonce');
  if (typeof nonce !== 'string' || !nonceForm.test(nonce)) throw bad('nonce must be 22 letters of base64url');
  const keyid = parameters.get('keyid');
  if (typeof keyid !== 'string') throw bad('keyid must be a text');
  const at = keyid.indexOf('#');
  const [home, kid] = [keyid.slice(0, Math.max(0, at)), keyid.slice(at + 1)];
  if (home !== origin) throw bad('keyid must be <home>#<kid>, its home that of home-origin');
  if (!isKid(kid)) throw bad('keyid has no kid');
  return { created: from, expires: until, nonce, kid };
}

/** Joins header lines of the same name (RFC 9421 2.1). */
function joined(lines: readonly (readonly [string, string])[] = []): string {
  const value = lines.map(([, text]) => text.trim()).join(', ');
  if (value === '') throw bad('the request is not signed');
  if (value.length > mostHeaderCharacters) throw bad('the signature headers are too long');
  return value;
}

/**
 * The dictionary's members, and each member's text without quoted strings. The parser keeps only the last of duplicate
 * members.
 */
function parse(header: string): { members: Dictionary; plain: string[] } {
  let members: Dictionary;
  try {
    members = parseDictionary(header);
  } catch {
    throw bad('the signature headers are not structured fields (RFC 9651)');
  }
  const plain = header.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(',');
  if (plain.length !== members.size) throw bad('a label stands twice');
  return { members, plain };
}

function bad(message: string): RequestRefused {
  return new RequestRefused('bad_signature', message);
}

function media(message: string): RequestRefused {
  return new RequestRefused('unsupported_media_type', message);
}
