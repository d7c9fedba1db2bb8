import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/** The key of each pair of services; a leaked key only works for that caller at that peer. */
export type PairKeys = (caller: string, peer: string) => KeyObject;

/** @param secret HEARTH_PEER_SECRET */
export function createPairKeys(secret: string): PairKeys {
  const keys = new Map<string, KeyObject>();
  return (caller, peer) => {
    const pair = `${caller} ${peer}`;
    let key = keys.get(pair);
    if (key === undefined) {
      // An HMAC with a KeyObject costs a quarter of an HMAC with bytes.
      key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `hearth peers ${pair}`, 32)));
      keys.set(pair, key);
    }
    return key;
  };
}

/** A call before its body was read, as vouched for by its proof. */
export interface ProvenCall {
  /** Milliseconds since 1970, by the caller's clock. */
  sent: number;
  deadline: number;
  /** SHA-256 of the request; of nothing, for a stream. */
  digest: Buffer;
}

const headBytes = 16;
const digestBytes = 32;
const saidBytes = headBytes + digestBytes;
const proofBytes = saidBytes + 32;

export const digestOf = (request: Uint8Array): Buffer => hash('sha256', request, 'buffer');

/**
 * An HMAC-SHA256 over the method, the encoded principal, both times and the request's digest, appended to these values.
 */
export function prove(key: KeyObject, path: string, principal: Uint8Array, call: ProvenCall): Buffer {
  const proof = Buffer.allocUnsafe(proofBytes);
  proof.writeDoubleBE(call.sent, 0);
  proof.writeDoubleBE(call.deadline, 8);
  call.digest.copy(proof, headBytes);
  macOf(key, path, proof.subarray(0, saidBytes), principal).copy(proof, saidBytes);
  return proof;
}

/** Null if the proof was not made with this key for this method and principal. */
export function readProof(
  key: KeyObject,
  path: string,
  principal: Uint8Array,
  proof: Buffer,
): ProvenCall | null {
  if (proof.length !== proofBytes) return null;
  const said = proof.subarray(0, saidBytes);
  if (!timingSafeEqual(proof.subarray(saidBytes), macOf(key, path, said, principal))) return null;
  return {
    sent: proof.readDoubleBE(0),
    deadline: proof.readDoubleBE(8),
    digest: proof.subarray(headBytes, saidBytes),
  };
}

function macOf(key: KeyObject, path: string, said: Buffer, principal: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${path}\0`).update(said).update(principal).digest();
}
