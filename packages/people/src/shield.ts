import { createCipheriv, createDecipheriv } from 'node:crypto';
import { createLru, type Lru } from '@hearth/cache/lru';
import { parseId } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';

type Keys = Pick<Sealer, 'derive'>;

/** AES with one block is a permutation of 128 bits, so that an id of the same form comes out, and comes back. */
const cipher = 'aes-128-ecb';
const keyBytes = 16;
const hexDigits = 32;

/** A derivation costs more than all that is done with its key. */
const caches = new WeakMap<Keys, Lru<Buffer>>();
const mostKeys = 10_000;
const uuidV7 = /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/**
 * The id under which one viewer knows a person under 18: `shp_` and 32 hex digits. The same for that viewer each time,
 * another for every other viewer, and nothing is stored.
 *
 * @param viewer uuid: see `viewerOf`
 * @param child uuid of the person
 */
export function shieldId(keys: Keys, viewer: string, child: string): string {
  return shieldIds(keys, viewer, [child])[0] as string;
}

/** The ids of many under which that viewer knows them, for little more than that of one. */
export function shieldIds(keys: Keys, viewer: string, children: readonly string[]): string[] {
  const hex = permute(createCipheriv, keys, 'shield', viewer, children.join(''));
  return children.map((_, index) => `shp_${hex.slice(index * hexDigits, (index + 1) * hexDigits)}`);
}

/** The uuid behind a shielded id of that viewer; null for what is none of theirs. */
export function unshield(keys: Keys, viewer: string, shielded: string): string | null {
  const given = parseId('shp', shielded);
  if (given === null) return null;
  const hex = permute(createDecipheriv, keys, 'shield', viewer, given);
  // Another viewer's id decrypts to noise, which has the form of one of our uuids once in 64 times at most, and then
  // belongs to no person.
  return uuidV7.test(hex) ? parseId('per', `per_${hex}`) : null;
}

/**
 * The uuid under which one app knows an event in which a shielded person stands: it says neither when that was nor that
 * another app was told of the same. The same each time, and nothing is stored.
 */
export function shieldEvent(keys: Keys, app: string, event: string): string {
  return readUuid(permute(createCipheriv, keys, 'shielded-event', app, event));
}

/** Returns the event behind such a uuid; noise for any other uuid. */
export function unshieldEvent(keys: Keys, app: string, shielded: string): string {
  return readUuid(permute(createDecipheriv, keys, 'shielded-event', app, shielded));
}

/** @param uuids one, or several without anything between them */
function permute(
  make: typeof createCipheriv | typeof createDecipheriv,
  keys: Keys,
  purpose: string,
  viewer: string,
  uuids: string,
): string {
  const turned = make(cipher, keyOf(keys, purpose, viewer), null).setAutoPadding(false);
  return Buffer.concat([
    turned.update(Buffer.from(uuids.replaceAll('-', ''), 'hex')),
    turned.final(),
  ]).toString('hex');
}

function keyOf(keys: Keys, purpose: string, viewer: string): Buffer {
  const cache = caches.get(keys) ?? createLru<Buffer>(mostKeys);
  caches.set(keys, cache);
  const name = `${purpose} ${viewer}`;
  const known = cache.get(name);
  if (known !== undefined) return known;
  const key = keys.derive(purpose, viewer).subarray(0, keyBytes);
  cache.set(name, key);
  return key;
}

function readUuid(hex: string): string {
  return parseId('evt', `evt_${hex}`) as string;
}
