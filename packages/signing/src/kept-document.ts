import { canonicalize } from './canonicalize.ts';
import { type HomeDocument, keyStatuses, type ReadDocument, readHomeDocument } from './home-document.ts';
import { instantOf } from './instant.ts';
import { isListedFor, type ListedKey } from './key-validity.ts';
import { encodePayload } from './payload.ts';
import { verifyRecord } from './verify-record.ts';

/** State that a reader stores about a home, as JSON values. Times are milliseconds since 1970. */
export interface KeptDocument {
  /** The current document. */
  document: HomeDocument;
  /** When each key was first seen as `next`. */
  nextSince: Record<string, number>;
  /** Kids revoked by a later document that itself waits. */
  revoked: string[];
  /** A document signed by no known key, and since when it has been seen. */
  waiting: { kept: KeptDocument; since: number; cause: WaitCause } | null;
}

/** `key_revoked`: signed by a known key that it revokes. `another_home`: signed by no known key. */
export type WaitCause = 'key_revoked' | 'another_home';

/**
 * - `accepted`: it replaces the stored document; `unchanged`: it is the stored document
 * - `refused`: nothing changed
 * - `key_revoked`: the keys in `revoked` no longer count; the rest of the document waits
 * - `another_home`: signed by no known key; it waits for a person, or for 7 days
 * - `began_anew`: accepted after that wait. Everything known about the former home is void
 */
export type Reception = 'accepted' | 'unchanged' | 'refused' | 'key_revoked' | 'another_home' | 'began_anew';

export interface Received {
  verdict: Reception;
  /** A sentence; null if the document was accepted. */
  problem: string | null;
  /** Null if nothing is stored. */
  kept: KeptDocument | null;
}

export interface ReceiveOptions {
  /** The requested name. */
  home: string;
  now: number;
  /** True if a person vouched for the new keys. */
  word?: boolean;
}

const hour = 3_600_000;
const nextKnownAfterMs = 24 * hour;
/** A document signed by no known key is accepted after this time if it is still served. */
export const anewAfterMs = 7 * 24 * hour;

/** The keys of a stored document, with later revocations applied. */
export function heldKeys({ document, revoked }: KeptDocument): ListedKey[] {
  return document.keys.map((key) => (revoked.includes(key.kid) ? { ...key, status: 'revoked' } : key));
}

/**
 * Compares a home's document with the stored one (docs/protocol/home-document.md, "Reading a document"), so that
 * neither a thief of an old key nor the next owner of a name becomes the home.
 */
export function receiveDocument(
  kept: KeptDocument | null,
  value: unknown,
  options: ReceiveOptions,
): Received {
  const read = readHomeDocument(value, options);
  const refuse = (problem: string): Received => ({ verdict: 'refused', problem, kept });
  if (typeof read === 'string') return refuse(read);
  if (read.lapsed) return refuse('its time has passed');
  const { document, kids } = read;
  if (kept === null) return { verdict: 'accepted', problem: null, kept: keep(document, null, options.now) };
  const held = heldKeys(kept);
  if ((instantOf(document.issued_at) as bigint) < (instantOf(kept.document.issued_at) as bigint))
    return refuse('it was issued before the one that is kept');

  const known = held.filter((key) => isKnown(key, kept, options.now)).map(({ kid }) => kid);
  const wrong = continuityProblem(kept.document, held, document);
  if (kids.some((kid) => known.includes(kid) && sameKey(held, document.keys, kid))) {
    if (wrong !== null) return refuse(wrong);
    if (document.doc_seq === kept.document.doc_seq)
      return { verdict: 'unchanged', problem: null, kept: { ...kept, waiting: null } };
    return { verdict: 'accepted', problem: null, kept: keep(document, kept, options.now) };
  }

  const revoked = wrong === null ? revokedByThemselves(held, document, known, options) : [];
  if (revoked.length > 0) {
    const problem = `it revokes ${revoked.join(', ')}, which signed it; the rest waits`;
    const changed = { ...kept, revoked: [...kept.revoked, ...revoked] };
    const waiting = wait(kept, read, 'key_revoked', options);
    return { verdict: 'key_revoked', problem, kept: { ...changed, waiting } };
  }
  return anotherHome(kept, read, options);
}

/** Accepts the waiting document after a person vouched for it. Everything known about the former home is void. */
export function acceptWaiting({ waiting }: KeptDocument): KeptDocument | null {
  return waiting?.kept ?? null;
}

function keep(document: HomeDocument, before: KeptDocument | null, now: number): KeptDocument {
  const next = document.keys.filter(({ status }) => status === 'next');
  const nextSince = Object.fromEntries(next.map(({ kid }) => [kid, before?.nextSince[kid] ?? now]));
  return { document, nextSince, revoked: before?.revoked ?? [], waiting: null };
}

/** True if a signature by this key shows that the document comes from the same home. */
function isKnown(key: ListedKey, { nextSince }: KeptDocument, now: number): boolean {
  if (!isListedFor(key, 'svc-home+jws')) return false;
  if (key.status === 'active') return true;
  return key.status === 'next' && now - (nextSince[key.kid] ?? now) >= nextKnownAfterMs;
}

function sameKey(held: readonly ListedKey[], listed: readonly ListedKey[], kid: string): boolean {
  const [one, other] = [held, listed].map((keys) => keys.find((key) => key.kid === kid)?.x);
  return one !== undefined && one === other;
}

/** Returns why the document can't follow the stored one, or null. */
function continuityProblem(
  before: HomeDocument,
  held: readonly ListedKey[],
  document: HomeDocument,
): string | null {
  if (document.doc_seq < before.doc_seq) return 'its doc_seq is lower than that of the one that is kept';
  if (document.doc_seq === before.doc_seq && bytesOf(document) !== bytesOf(before))
    return 'its doc_seq is that of the one that is kept, and it says something else';
  for (const key of held) {
    const now = document.keys.find(({ kid }) => kid === key.kid);
    if (now === undefined) return `the key ${key.kid} is not listed any more`;
    const problem = changeProblem(key, now);
    if (problem !== null) return `the key ${key.kid}: ${problem}`;
  }
  return null;
}

function bytesOf(document: HomeDocument): string {
  return encodePayload(document, 'signatures');
}

const fixed = ['kty', 'crv', 'x', 'uses', 'not_before'] as const;

function changeProblem(before: ListedKey, after: ListedKey): string | null {
  const changed = fixed.find((name) => canonicalize(before[name]) !== canonicalize(after[name]));
  if (changed !== undefined) return `${changed} has changed`;
  const [end, later] = [instantOf(before.not_after), instantOf(after.not_after)];
  if (end !== null && (later === null || later > end)) return 'not_after has moved later';
  if (rankOf(after) < rankOf(before)) return 'its status has gone back';
  return null;
}

function rankOf({ status }: ListedKey): number {
  return keyStatuses.indexOf(status as (typeof keyStatuses)[number]);
}

/** Returns the known keys that signed the document in which they are revoked. This needs no new trust. */
function revokedByThemselves(
  held: readonly ListedKey[],
  document: HomeDocument,
  known: readonly string[],
  { home, now }: ReceiveOptions,
): string[] {
  const { kids } = verifyRecord(document, { expectedType: 'svc-home+jws', home, keys: held, now });
  const revoked = document.keys.filter(({ status }) => status === 'revoked').map(({ kid }) => kid);
  return kids.filter((kid) => known.includes(kid) && revoked.includes(kid));
}

function anotherHome(kept: KeptDocument, read: ReadDocument, options: ReceiveOptions): Received {
  const waiting = wait(kept, read, 'another_home', options);
  if (options.word === true || options.now - waiting.since >= anewAfterMs) {
    return { verdict: 'began_anew', problem: null, kept: waiting.kept };
  }
  const problem = 'no known key of the home has signed it: it waits for a person, or 7 days';
  return { verdict: 'another_home', problem, kept: { ...kept, waiting } };
}

/** The wait continues only while all documents come from the same other home. */
function wait(
  { waiting }: KeptDocument,
  { document }: ReadDocument,
  cause: WaitCause,
  options: ReceiveOptions,
): KeptDocument['waiting'] & object {
  if (waiting !== null) {
    const { verdict, kept } = receiveDocument(waiting.kept, document, { ...options, word: false });
    if ((verdict === 'accepted' || verdict === 'unchanged') && kept !== null) return { ...waiting, kept };
  }
  return { kept: keep(document, null, options.now), since: options.now, cause };
}
