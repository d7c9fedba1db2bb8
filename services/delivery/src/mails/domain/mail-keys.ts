import { hash, timingSafeEqual } from 'node:crypto';
import { derivedId } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';

const idBytes = 16;
const proofBytes = 14;
const longestKey = 512;

/** Returns a mail address's id in the table of stops: a keyed hash. */
export function addressId(keys: Pick<Sealer, 'derive'>, email: string): Buffer {
  return keys.derive('mail address', email.trim().toLowerCase()).subarray(0, idBytes);
}

/** Returns the key of an unsubscribe link: not stored, and it does not reveal the address. */
export function stopKey(keys: Pick<Sealer, 'derive'>, id: Buffer): string {
  return Buffer.concat([id, proofOf(keys, id)]).toString('base64url');
}

/** Returns the id of the address; null if the key is not genuine. */
export function readStopKey(keys: Pick<Sealer, 'derive'>, key: string): Buffer | null {
  const bytes = Buffer.from(key, 'base64url');
  // The decoder ignores stray characters, so compare the key with its canonical form.
  if (bytes.length !== idBytes + proofBytes || bytes.toString('base64url') !== key) return null;
  const id = bytes.subarray(0, idBytes);
  return timingSafeEqual(bytes.subarray(idBytes), proofOf(keys, id)) ? id : null;
}

function proofOf(keys: Pick<Sealer, 'derive'>, id: Buffer): Buffer {
  return keys.derive('mail stop', id.toString('hex')).subarray(0, proofBytes);
}

/**
 * Returns the key of a report link. It is the same at each attempt, and encrypted, as a mail may not show its
 * sender's address. A MAC of the content seeds the key stream that encrypts it (a synthetic IV, as in RFC
 * 5297).
 */
export function reportKey(keys: Pick<Sealer, 'derive'>, address: Buffer, about: string): string {
  const content = Buffer.concat([address, Buffer.from(about)]);
  const proof = reportProof(keys, content);
  return Buffer.concat([proof, hidden(keys, proof, content)]).toString('base64url');
}

/** Returns the subject of a report, and a uuid derived from it and the address; null if the key is not genuine. */
export function readReportKey(
  keys: Pick<Sealer, 'derive'>,
  key: string,
): { id: string; about: string } | null {
  const bytes = Buffer.from(key, 'base64url');
  if (bytes.length <= 2 * idBytes || bytes.length > longestKey) return null;
  const proof = bytes.subarray(0, idBytes);
  const content = hidden(keys, proof, bytes.subarray(idBytes));
  if (!timingSafeEqual(proof, reportProof(keys, content))) return null;
  return { id: derivedId(hash('sha256', content), 'report'), about: content.subarray(idBytes).toString() };
}

function reportProof(keys: Pick<Sealer, 'derive'>, content: Buffer): Buffer {
  return keys.derive('mail report', content.toString('hex')).subarray(0, idBytes);
}

/** Encrypts or decrypts content: XOR with the key stream. */
function hidden(keys: Pick<Sealer, 'derive'>, proof: Buffer, content: Buffer): Buffer {
  const blocks = Array.from({ length: Math.ceil(content.length / 32) }, (_, index) =>
    keys.derive('mail report stream', `${proof.toString('hex')} ${index}`),
  );
  const stream = Buffer.concat(blocks);
  return Buffer.from(content.map((byte, index) => byte ^ stream[index]!));
}
