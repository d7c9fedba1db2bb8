import type { StreamPlace } from '../../shared/domain/streams.ts';

const second = 1_000;
const hour = 3_600 * second;
const form = 1;
const bytes = 15;

/**
 * Prints a position as an opaque cursor; it holds no secret. The time is cut to the hour, so that the cursor
 * stays the same for a caller who polls while nothing happens.
 *
 * @param ai uuid
 */
export function printCursor(ai: string, { number, at }: StreamPlace): string {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUInt8(form, 0);
  tagOf(ai).copy(buffer, 1);
  buffer.writeUIntBE(number, 5, 6);
  const startOfHour = at.getTime() - (at.getTime() % hour);
  buffer.writeUInt32BE(startOfHour / second, 11);
  return buffer.toString('base64url');
}

/** Returns null if it is no cursor, or another AI's. */
export function readCursor(ai: string, text: string): StreamPlace | null {
  const buffer = Buffer.from(text, 'base64url');
  if (buffer.length !== bytes || buffer.toString('base64url') !== text) return null;
  if (buffer.readUInt8(0) !== form || !buffer.subarray(1, 5).equals(tagOf(ai))) return null;
  return { number: buffer.readUIntBE(5, 6), at: new Date(buffer.readUInt32BE(11) * second) };
}

/** Enough bytes to tell the cursors of different AIs apart. */
function tagOf(ai: string): Buffer {
  return Buffer.from(ai.slice(-8), 'hex');
}
