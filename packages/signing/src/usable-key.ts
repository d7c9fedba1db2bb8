import { isHearthError } from '@hearth/errors';
import { instantOf, nanosOf } from './instant.ts';
import { heldKeys, type KeptDocument } from './kept-document.ts';
import { keyProblemAt, type ListedKey } from './key-validity.ts';
import { importPublicKey, type PublicKey } from './keys.ts';

/** A verified key of another home. */
export interface UsableKey {
  /** As in the home's document; `verifyRecord` checks its times. */
  listed: ListedKey;
  publicKey: PublicKey;
}

/**
 * Returns a key from the home's document, or null if it counts as unknown. A request key must be active now. A record
 * key may be retired, and then vouches for records issued before its end.
 *
 * @param keys of a verified document, with later revocations applied (`heldKeys`)
 * @param now milliseconds since 1970
 */
function usableKey(
  keys: readonly ListedKey[],
  { kid, use, now }: { kid: string; use: 'request' | 'record'; now: number },
): UsableKey | null {
  const listed = keys.find((key) => key.kid === kid);
  if (listed === undefined || !listed.uses?.includes(use)) return null;
  const { status, revoked_at: revokedAt } = listed;
  const counts =
    use === 'request'
      ? status === 'active' && keyProblemAt(listed, nanosOf(now)) === null
      : (status === 'active' || status === 'retired') && (revokedAt ?? null) === null;
  const publicKey = counts ? publicKeyOf(listed) : null;
  return publicKey === null ? null : { listed, publicKey };
}

/** Checks the point of a listed key on first use; a refused key counts as unknown. */
function publicKeyOf(listed: ListedKey): PublicKey | null {
  try {
    return importPublicKey(listed);
  } catch (thrown) {
    if (isHearthError(thrown)) return null;
    throw thrown;
  }
}

/** True while the stored document of a home is valid. */
export function isHeld(kept: KeptDocument | null, now: number): kept is KeptDocument {
  return kept !== null && (instantOf(kept.document.valid_until) as bigint) > nanosOf(now);
}

/**
 * Returns the key that a request or an item names, from the stored state of its home, or the error code. It is
 * `key_change` while a different home's document waits under this name: for the keys in it, and for all others once the
 * stored document has lapsed.
 */
export function keyFrom(
  kept: KeptDocument | null,
  wanted: { kid: string; use: 'request' | 'record'; now: number },
): UsableKey | 'unknown_key' | 'key_change' {
  const held = isHeld(kept, wanted.now);
  const found = held ? usableKey(heldKeys(kept), wanted) : null;
  if (found !== null) return found;
  const waiting = kept?.waiting;
  if (waiting?.cause !== 'another_home') return 'unknown_key';
  const theirs = waiting.kept.document.keys.some(({ kid }) => kid === wanted.kid);
  return theirs || !held ? 'key_change' : 'unknown_key';
}
