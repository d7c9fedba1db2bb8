import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { internal } from '@hearth/errors';
import type { Random } from '@hearth/ids';

/** Keeps secrets that must be read again (signing keys, webhook secrets), and makes those that need no storing. */
export interface Sealer {
  /**
   * Encrypts with AES-256-GCM. `context` (what it is and whose: "federation.key:<kid>") must be given again to
   * open it, so that a sealed value cannot be moved to another row.
   */
  seal(plain: Uint8Array, context: string): Buffer;
  /** @throws internal when the seal key is another one, or the value was changed or moved */
  open(sealed: Uint8Array, context: string): Buffer;
  /** 32 bytes that only the holder of the seal key can make, the same each time (HMAC-SHA256). */
  derive(purpose: string, text: string): Buffer;
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** @param key HEARTH_SEAL_KEY: 32 bytes as base64url */
export function createSealer(key: string, random: Random): Sealer {
  const master = Buffer.from(key, 'base64url');
  if (master.length !== 32) throw internal('the seal key must be 32 bytes as base64url');
  const subkey = (info: string) =>
    Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `hearth ${info}`, 32));
  const encryptionKey = subkey('seal');
  const derivationKey = subkey('derive');

  return {
    seal(plain, context) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(context));
      return Buffer.concat([
        Buffer.from([version]),
        nonce,
        cipher.update(plain),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed);
      if (bytes.length < 1 + nonceBytes + tagBytes || bytes[0] !== version)
        throw internal('not a sealed value');
      const nonce = bytes.subarray(1, 1 + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, nonce)
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes)), decipher.final()]);
      } catch (cause) {
        throw internal(
          'a sealed value cannot be opened: HEARTH_SEAL_KEY is not the one it was sealed with',
          cause,
        );
      }
    },
    derive(purpose, text) {
      return createHmac('sha256', derivationKey).update(`${purpose}\0${text}`).digest();
    },
  };
}
