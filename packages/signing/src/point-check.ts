import { Point } from '@noble/ed25519';
import { publicKeyLength } from './ed25519.ts';

const fieldPrime = 2n ** 255n - 19n;

/**
 * Returns why these bytes can't be trusted as an Ed25519 public key, or null if they can. Under a point of small order,
 * verifiers accept signatures that no key made. For a point of mixed order, verifiers may disagree. A second encoding
 * of a point would give one key two names.
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

/** The part of the check that needs no curve arithmetic, and so costs almost nothing. */
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
