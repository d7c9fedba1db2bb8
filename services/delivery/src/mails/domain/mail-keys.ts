import { hash, timingSafeEqual } from 'node:crypto';
import { derivedId } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';

const idBytes = 16;
const proofBytes = 14;
const longestKey = 512;

/** The address as the table of stops has it: a keyed hash. */
export function addressId(keys: Pick<Sealer, 'derive'>, email: string): Buffer {
  return keys.derive('mail address', email.trim().toLowerCase()).subarray(0, idBytes);
}

/** The key of the link by which mails to an address are stopped: stored nowhere, and it names the address to no one. */
export function stopKey(keys: Pick<Sealer, 'derive'>, id: Buffer): string {
  return Buffer.concat([id, proofOf(keys, id)]).toString('base64url');
}

/** The id of the address; null for a key that was never given out. */
export function readStopKey(keys: Pick<Sealer, 'derive'>, key: string): Buffer | null {
  const bytes = Buffer.from(key, 'base64url');
  // A character too many would be read as nothing.
  if (bytes.length !== idBytes + proofBytes || bytes.toString('base64url') !== key) return null;
  const id = bytes.subarray(0, idBytes);
  return timingSafeEqual(bytes.subarray(idBytes), proofOf(keys, id)) ? id : null;
}

function proofOf(keys: Pick<Sealer, 'derive'>, id: Buffer): Buffer {
  return keys.derive('mail stop', id.toString('hex')).subarray(0, proofBytes);
}

/**
 * The key of the link by which the recipient of a mail reports it: the same at each attempt, and unreadable, since a mail
 * may not show its sender's address. A proof of the content is the start of the stream that hides it (as RFC 5297 does).
 */
export function reportKey(keys: Pick<Sealer, 'derive'>, address: Buffer, about: string): string {
  const content = Buffer.concat([address, Buffer.from(about)]);
  const proof = reportProof(keys, content);
  return Buffer.concat([proof, hidden(keys, proof, content)]).toString('base64url');
}

/** The subject of a report, and a uuid that follows from it and the address; null for a key that was never given out. */
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

/** Hides content, or shows it again. */
function hidden(keys: Pick<Sealer, 'derive'>, proof: Buffer, content: Buffer): Buffer {
  const blocks = Array.from({ length: Math.ceil(content.length / 32) }, (_, index) =>
    keys.derive('mail report stream', `${proof.toString('hex')} ${index}`),
  );
  const stream = Buffer.concat(blocks);
  return Buffer.from(content.map((byte, index) => byte ^ stream[index]!));
}
