import { createCipheriv, createDecipheriv } from 'node:crypto';
import { parseId, printId } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';

type Keys = Pick<Sealer, 'derive'>;

/** AES with one block is a permutation of 128 bits, so that an id of the same form comes out, and comes back. */
const cipher = 'aes-128-ecb';
const keyBytes = 16;
const uuidV7 = /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/**
 * The id under which one viewer knows a person under 18: `shp_` and 32 hex digits. The same for that viewer each time,
 * another for every other viewer, and nothing is stored.
 *
 * @param viewer uuid: see `viewerOf`
 * @param child uuid of the person
 */
export function shieldId(keys: Keys, viewer: string, child: string): string {
  const encrypt = createCipheriv(cipher, keyOf(keys, viewer), null).setAutoPadding(false);
  const block = Buffer.from(child.replaceAll('-', ''), 'hex');
  return printId('shp', Buffer.concat([encrypt.update(block), encrypt.final()]).toString('hex'));
}

/** The uuid behind a shielded id of that viewer; null for what is none of theirs. */
export function unshield(keys: Keys, viewer: string, shielded: string): string | null {
  const given = parseId('shp', shielded);
  if (given === null) return null;
  const decrypt = createDecipheriv(cipher, keyOf(keys, viewer), null).setAutoPadding(false);
  const block = Buffer.from(given.replaceAll('-', ''), 'hex');
  const hex = Buffer.concat([decrypt.update(block), decrypt.final()]).toString('hex');
  // Another viewer's id decrypts to noise, which has the form of one of our uuids once in 64 times at most, and then
  // belongs to no person.
  return uuidV7.test(hex) ? parseId('per', `per_${hex}`) : null;
}

function keyOf(keys: Keys, viewer: string): Buffer {
  return keys.derive('shield', viewer).subarray(0, keyBytes);
}
