import { randomFillSync } from 'node:crypto';
import type { Clock } from '@hearth/clock';

/** Randomness as a dependency: cryptographically strong in a running home, seeded in tests. */
export interface Random {
  bytes(count: number): Uint8Array;
}

export const systemRandom: Random = createSystemRandom();

/** Drawing a block at once costs a tenth of drawing 16 bytes at a time; a message needs three ids. */
function createSystemRandom(blockSize = 4_096): Random {
  const block = Buffer.alloc(blockSize);
  let used = blockSize;
  return {
    bytes(count) {
      if (count > blockSize) return randomFillSync(Buffer.alloc(count));
      if (used + count > blockSize) {
        randomFillSync(block);
        used = 0;
      }
      const given = Buffer.from(block.subarray(used, used + count));
      // Used bytes are erased from the block.
      block.fill(0, used, used + count);
      used += count;
      return given;
    },
  };
}

/** A fraction from 0 (included) to 1 (excluded). */
export function fractionOf(random: Random): number {
  return Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;
}

export interface Ids {
  /** A UUIDv7 (RFC 9562): time-ordered to the millisecond, as the database stores it. */
  uuid(): string;
  /** `length` characters of [0-9A-Za-z] with 5.95 bits each: 22 make 131 bits, 43 make 256. */
  token(length: number): string;
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function createIds(clock: Clock, random: Random): Ids {
  return {
    uuid() {
      const bytes = Buffer.from(random.bytes(16));
      bytes.writeUIntBE(clock.now(), 0, 6);
      bytes[6] = (bytes[6]! & 0x0f) | 0x70;
      bytes[8] = (bytes[8]! & 0x3f) | 0x80;
      const hex = bytes.toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
    token(length) {
      let text = '';
      while (text.length < length) {
        for (const byte of random.bytes(length)) {
          // Bytes of 248 and more are dropped, because keeping them would favour some characters.
          if (byte < 248 && text.length < length) text += base62[byte % 62];
        }
      }
      return text;
    },
  };
}
