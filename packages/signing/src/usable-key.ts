import { isHearthError } from '@hearth/errors';
import { instantOf, nanosOf } from './instant.ts';
import { heldKeys, type KeptDocument } from './kept-document.ts';
import { keyProblemAt, type ListedKey } from './key-validity.ts';
import { importPublicKey, type PublicKey } from './keys.ts';

/** A key of another home, checked. */
export interface UsableKey {
  /** As the home's document lists it: for `verifyRecord`, which looks at its times. */
  listed: ListedKey;
  publicKey: PublicKey;
}

/**
 * A key as the home's document lists it, or null where it counts as unknown. One for requests is active, now; one for
 * records may be retired, and vouches for what was issued before its end.
 *
 * @param keys of a document that was read, with what was revoked since (`heldKeys`)
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

/** The point of a listed key is checked when the key is first used; a refused one counts as unknown. */
function publicKeyOf(listed: ListedKey): PublicKey | null {
  try {
    return importPublicKey(listed);
  } catch (thrown) {
    if (isHearthError(thrown)) return null;
    throw thrown;
  }
}

/** Whether the document that is kept of a home still counts. */
export function isHeld(kept: KeptDocument | null, now: number): kept is KeptDocument {
  return kept !== null && (instantOf(kept.document.valid_until) as bigint) > nanosOf(now);
}

/**
 * The key that a request or an item names, by what is kept of its home, or the code of the refusal: `key_change` for a key of
 * another home under the old name, and for any other one when nothing else holds.
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
