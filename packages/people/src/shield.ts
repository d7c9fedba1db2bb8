import { createCipheriv, createDecipheriv } from 'node:crypto';
import { createLru, type Lru } from '@hearth/cache/lru';
import { parseId } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';

type Keys = Pick<Sealer, 'derive'>;

/** AES on one block is a permutation of 128 bits, so it yields an id of the same form and can be reversed. */
const cipher = 'aes-128-ecb';
const keyBytes = 16;
const hexDigits = 32;

/** A derivation costs more than everything done with its key. */
const caches = new WeakMap<Keys, Lru<Buffer>>();
const mostKeys = 10_000;
const uuidV7 = /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/**
 * The id under which one viewer knows a person under 18: `shp_` and 32 hex digits. Stable per viewer, different for
 * every other viewer, and never stored.
 *
 * @param viewer uuid: see `viewerOf`
 * @param child uuid of the person
 */
export function shieldId(keys: Keys, viewer: string, child: string): string {
  return shieldIds(keys, viewer, [child])[0] as string;
}

/** The ids of many people for one viewer, at little more than the cost of one. */
export function shieldIds(keys: Keys, viewer: string, children: readonly string[]): string[] {
  const hex = permute(createCipheriv, keys, 'shield', viewer, children.join(''));
  return children.map((_, index) => `shp_${hex.slice(index * hexDigits, (index + 1) * hexDigits)}`);
}

/** Decrypts a viewer's shielded id to the uuid; null if it is not this viewer's. */
export function unshield(keys: Keys, viewer: string, shielded: string): string | null {
  const given = parseId('shp', shielded);
  if (given === null) return null;
  const hex = permute(createDecipheriv, keys, 'shield', viewer, given);
  // Another viewer's id decrypts to noise, which has the form of our uuids at most once in 64 times, and then matches
  // no person.
  return uuidV7.test(hex) ? parseId('per', `per_${hex}`) : null;
}

/**
 * The uuid under which one app knows an event that contains a shielded person. It reveals neither the time nor that
 * another app received the same event. Stable, and never stored.
 */
export function shieldEvent(keys: Keys, app: string, event: string): string {
  return readUuid(permute(createCipheriv, keys, 'shielded-event', app, event));
}

/** Returns the event behind such a uuid; noise for any other uuid. */
export function unshieldEvent(keys: Keys, app: string, shielded: string): string {
  return readUuid(permute(createDecipheriv, keys, 'shielded-event', app, shielded));
}

/** @param uuids one uuid, or several concatenated */
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
