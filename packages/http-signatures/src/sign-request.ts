import { type KeyPair, signBytes } from '@hearth/signing';
import { contentDigest } from './content-digest.ts';
import { coveredParts, label, longestSeconds, signatureBase, tag, version } from './profile.ts';

/** An unsigned request to another home. */
export interface OutgoingRequest {
  method: 'GET' | 'POST';
  /** As returned by `targetUri`. */
  target: string;
  origin: string;
  destination: string;
  /** JSON; absent if there is no body. */
  body?: Uint8Array;
}

export interface SignRequestOptions {
  /** An active key whose use is `request`. */
  key: KeyPair;
  /** Milliseconds since 1970. */
  now: number;
  /** 16 random bytes in base64url, used for this request only. */
  nonce: string;
}

/** Returns the headers to send, with names in lower case. */
export function signRequest(
  request: OutgoingRequest,
  { key, now, nonce }: SignRequestOptions,
): Record<string, string> {
  const { method, target, origin, destination, body } = request;
  const headers: Record<string, string> = {
    'home-origin': origin,
    'home-destination': destination,
    'home-version': version,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-digest': contentDigest(body) }),
  };
  const covered = coveredParts(body !== undefined);
  const created = Math.floor(now / 1_000);
  const list = covered.map((part) => `"${part}"`).join(' ');
  const parameters = `(${list});created=${created};expires=${created + longestSeconds};nonce="${nonce}";keyid="${origin}#${key.kid}";tag="${tag}"`;
  const values: Record<string, string> = { '@method': method, '@target-uri': target, ...headers };
  const base = signatureBase(covered, (part) => values[part]!, parameters);
  return {
    ...headers,
    'signature-input': `${label}=${parameters}`,
    signature: `${label}=:${signBytes(key.privateKey, base).toString('base64')}:`,
  };
}
