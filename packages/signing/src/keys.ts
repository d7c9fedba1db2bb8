import { hash, type KeyObject } from 'node:crypto';
import { badField } from '@hearth/errors';
import type { Random } from '@hearth/ids';
import { decodeBase64url, encodeBase64url } from './base64url.ts';
import { createBoundedMap } from './bounded-map.ts';
import { privateKeyFromSeed, publicBytesOf, publicKeyFromBytes, seedLength } from './ed25519.ts';
import { encodingProblem, publicKeyProblem } from './point-check.ts';

/** An Ed25519 public key as a JWK (RFC 8037) with its key id; cards and home documents add members. */
export interface PublicJwk {
  kid: string;
  kty: 'OKP';
  crv: 'Ed25519';
  /** The 32 bytes of the key, base64url. */
  x: string;
}

/** A PublicJwk with its secret; `d` is the 32-byte seed, base64url. */
export interface PrivateJwk extends PublicJwk {
  d: string;
}

/** A verified key, ready to verify signatures. */
export interface PublicKey {
  readonly x: string;
  readonly keyObject: KeyObject;
}

/** A key pair, ready to sign. */
export interface KeyPair {
  readonly kid: string;
  readonly x: string;
  readonly privateKey: KeyObject;
}

/** True for a valid kid: at most 128 letters, digits and `._~:-`. */
export function isKid(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9._~:-]{1,128}$/.test(value);
}

/** Returns the RFC 7638 thumbprint (SHA-256, base64url, 43 characters) of a public key; we use it as kid. */
export function thumbprint(x: string): string {
  return hash('sha256', `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`, 'base64url');
}

export function generateKeyPair(random: Random): KeyPair {
  return keyPairFromSeed(random.bytes(seedLength));
}

/** Derives the key pair of a 32-byte secret seed (RFC 8032 5.1.5). */
export function keyPairFromSeed(seed: Uint8Array): KeyPair {
  if (seed.length !== seedLength) throw badField('seed', `must have ${seedLength} bytes, has ${seed.length}`);
  const privateKey = privateKeyFromSeed(seed);
  const x = encodeBase64url(publicBytesOf(privateKey));
  return { kid: thumbprint(x), x, privateKey };
}

export function exportPublicJwk(key: KeyPair): PublicJwk {
  return { kid: key.kid, kty: 'OKP', crv: 'Ed25519', x: key.x };
}

/** Includes the secret: only for the key store, never for a response or a log. */
export function exportPrivateJwk(key: KeyPair): PrivateJwk {
  const { d } = key.privateKey.export({ format: 'jwk' });
  return { ...exportPublicJwk(key), d: d as string };
}

/** Reads a key pair from the store. Throws bad_request if `d` and `x` don't belong together. */
export function importPrivateJwk(jwk: unknown): KeyPair {
  const { x, d, kid } = members(jwk);
  const seed = typeof d === 'string' ? decodeBase64url(d) : null;
  if (seed?.length !== seedLength) throw badField('d', `must be ${seedLength} bytes in base64url`);
  const pair = keyPairFromSeed(seed);
  if (pair.x !== x) throw badField('x', 'is not the public half of d');
  if (kid === undefined) return pair;
  return { ...pair, kid: readKid(kid) };
}

/** Checking a key and building its key object cost as much as several verifications, so both are cached. */
const checkedKeys = createBoundedMap<PublicKey>(4_096);

/**
 * Reads and checks a public key: kty OKP, crv Ed25519, 32 bytes, the canonical encoding of a point in the curve's group
 * of prime order, no secret. Ignores other members (uses, status, from), which are the caller's. Throws bad_request
 * naming the invalid member and why.
 */
export function importPublicKey(jwk: unknown): PublicKey {
  const x = xOf(jwk);
  const known = checkedKeys.get(x);
  if (known !== undefined) return known;

  const bytes = bytesOf(x);
  const problem = publicKeyProblem(bytes);
  if (problem !== null) throw badField('x', problem);
  const key = { x, keyObject: publicKeyFromBytes(bytes) };
  checkedKeys.set(x, key);
  return key;
}

/**
 * Checks the form of a public key without its point, for lists whose keys are rarely used. Throws as `importPublicKey`
 * does.
 */
export function requireKeyForm(jwk: unknown): void {
  const problem = encodingProblem(bytesOf(xOf(jwk)));
  if (problem !== null) throw badField('x', problem);
}

function xOf(jwk: unknown): string {
  const { x, d, alg } = members(jwk);
  if (d !== undefined) throw badField('d', 'is the secret half of a key; send the public half alone');
  if (alg !== undefined && alg !== 'EdDSA' && alg !== 'Ed25519') throw badField('alg', 'must be EdDSA');
  if (typeof x !== 'string') throw badField('x', 'is missing: the 32 bytes of the key in base64url');
  return x;
}

function bytesOf(x: string): Uint8Array {
  const bytes = x.length <= 128 ? decodeBase64url(x) : null;
  if (bytes === null) throw badField('x', 'must be base64url without padding');
  return bytes;
}

/** Reads and checks a public key and returns only its own members; a missing `kid` becomes the thumbprint. */
export function readPublicJwk(jwk: unknown): PublicJwk {
  const { x } = importPublicKey(jwk);
  const { kid } = members(jwk);
  return { kid: kid === undefined ? thumbprint(x) : readKid(kid), kty: 'OKP', crv: 'Ed25519', x };
}

function readKid(kid: unknown): string {
  if (!isKid(kid)) throw badField('kid', 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ : -');
  return kid;
}

function members(jwk: unknown): Record<string, unknown> {
  if (typeof jwk !== 'object' || jwk === null) throw badField('key', 'must be a JWK, which is a JSON object');
  const found = jwk as Record<string, unknown>;
  if (found.kty !== 'OKP') throw badField('kty', 'must be OKP');
  if (found.crv !== 'Ed25519') throw badField('crv', 'must be Ed25519');
  return found;
}
