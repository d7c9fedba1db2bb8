import { Point } from '@noble/ed25519';
import { publicKeyLength } from './ed25519.ts';

const fieldPrime = 2n ** 255n - 19n;

/**
 * Why these bytes cannot be trusted as an Ed25519 public key, or null when they can. Under a point of
 * small order a verifier accepts signatures that no key made; about one of mixed order two verifiers may differ; a
 * second encoding of a point would give one key two names.
 */
export function publicKeyProblem(bytes: Uint8Array): string | null {
  const encoding = encodingProblem(bytes);
  if (encoding !== null) return encoding;
  const point = decodePoint(bytes);
  if (point === null) return 'the key is not a point of the curve';
  if (point.isSmallOrder()) return 'the key is a point of small order, which proves nothing';
  if (!point.isTorsionFree()) return 'the key is a point of mixed order, about which verifiers differ';
  return null;
}

/** The part of it that needs no arithmetic on the curve, and so costs next to nothing. */
export function encodingProblem(bytes: Uint8Array): string | null {
  if (bytes.length !== publicKeyLength) {
    return `an Ed25519 public key has ${publicKeyLength} bytes, this one has ${bytes.length}`;
  }
  return yCoordinate(bytes) >= fieldPrime ? 'the key is not the canonical encoding of a point' : null;
}

function yCoordinate(bytes: Uint8Array): bigint {
  const bigEndian = Buffer.from(bytes).reverse();
  bigEndian[0] = (bigEndian[0] ?? 0) & 0x7f;
  return BigInt(`0x${bigEndian.toString('hex')}`);
}

function decodePoint(bytes: Uint8Array): Point | null {
  try {
    return Point.fromBytes(new Uint8Array(bytes), false);
  } catch {
    return null;
  }
}
