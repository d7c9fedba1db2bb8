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
  /** @throws internal when it was sealed with a key that is not given, or the value was changed or moved */
  open(sealed: Uint8Array, context: string): Buffer;
  /** 32 bytes that only the home can make, the same each time (HMAC-SHA256), also after the seal key changed. */
  derive(purpose: string, text: string): Buffer;
  /** The first bytes of values that this seal key sealed while another one was given beside it. */
  readonly mark: Buffer;
  /** The same of the second key; null without one. */
  readonly otherMark: Buffer | null;
}

export interface SealerOptions {
  /** A second seal key, which opens what it sealed: the one before, or the one to come. */
  other?: string | undefined;
  /** 32 bytes from which `derive` makes its own; when not given, they follow from the seal key. */
  derivation?: Uint8Array;
}

/** 1: whichever key it was. 2: four bytes tell the key, so that a change of keys finds what is left. */
const [plainVersion, markedVersion] = [1, 2];
const markBytes = 5;
const nonceBytes = 12;
const tagBytes = 16;

/** @param key HEARTH_SEAL_KEY: 32 bytes as base64url */
export function createSealer(key: string, random: Random, options: SealerOptions = {}): Sealer {
  const { other, derivation = derivationOf(key) } = options;
  const own = readKey(key);
  const keys = other === undefined ? [own] : [own, readKey(other)];
  // With one key the form of before, which a process of the release before reads too.
  const head = other === undefined ? Buffer.from([plainVersion]) : own.mark;

  return {
    mark: own.mark,
    otherMark: keys[1]?.mark ?? null,
    seal(plain, context) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', own.encryption, nonce).setAAD(Buffer.from(context));
      return Buffer.concat([head, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed);
      const marked = bytes[0] === markedVersion;
      const from = marked ? markBytes : 1;
      if (bytes.length < from + nonceBytes + tagBytes || (!marked && bytes[0] !== plainVersion))
        throw internal('not a sealed value');
      const candidates = marked ? keys.filter(({ mark }) => bytes.indexOf(mark) === 0) : keys;
      for (const { encryption } of candidates) {
        try {
          return decrypt(encryption, bytes.subarray(from), context);
        } catch {
          // Another key may open it; why this one does not is OpenSSL's word, which helps no one.
        }
      }
      throw internal('a sealed value cannot be opened: HEARTH_SEAL_KEY is not the one it was sealed with');
    },
    derive: (purpose, text) => createHmac('sha256', derivation).update(`${purpose}\0${text}`).digest(),
  };
}

/** The secret from which a home derived that was begun before it kept one apart from its seal key. */
export function derivationOf(key: string): Buffer {
  return subkey(masterOf(key), 'derive');
}

function decrypt(key: Buffer, bytes: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}

function readKey(key: string) {
  const master = masterOf(key);
  const mark = Buffer.concat([
    Buffer.from([markedVersion]),
    subkey(master, 'mark').subarray(0, markBytes - 1),
  ]);
  return { encryption: subkey(master, 'seal'), mark };
}

function masterOf(key: string): Buffer {
  const master = Buffer.from(key, 'base64url');
  if (master.length !== 32) throw internal('the seal key must be 32 bytes as base64url');
  return master;
}

function subkey(master: Buffer, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `hearth ${info}`, 32));
}
