import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

export const seedLength = 32;
export const publicKeyLength = 32;
export const signatureLength = 64;

// RFC 8410: the DER bytes that precede the 32 bytes of the key.
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

export function privateKeyFromSeed(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' });
}

export function publicKeyFromBytes(bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' });
}

export function publicBytesOf(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length);
}

/** Returns the 64-byte Ed25519 signature (RFC 8032) of `message`. */
export function signBytes(privateKey: KeyObject, message: Uint8Array): Buffer {
  return sign(null, message, privateKey);
}

/** True if `signature` is the signature of `message`; false for any other length too. */
export function verifyBytes(publicKey: KeyObject, message: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === signatureLength && verify(null, message, publicKey, signature);
}
