import { asTyped } from '@hearth/addresses';
import { badField, badRequest } from '@hearth/errors';

const undoMs = 24 * 3_600_000;

/** The facts that the rules of ownership depend on. */
export interface Ownership {
  owner: string | null;
  status: 'claimed' | 'vouched' | 'unclaimed';
  claimedAt: Date | null;
  claimedByLink: boolean;
  revokedAt: Date | null;
}

/** Until when the AI can say that the claimer is not its person; null if it cannot. */
export function undoUntil(ai: Ownership, now: Date): Date | null {
  const { owner, status, claimedAt, claimedByLink, revokedAt } = ai;
  if (owner === null || status !== 'claimed' || !claimedByLink || claimedAt === null || revokedAt !== null) {
    return null;
  }
  const until = new Date(claimedAt.getTime() + undoMs);
  return now.getTime() < until.getTime() ? until : null;
}

/** Whether the claim link works. */
export function isClaimable({ status, revokedAt }: Pick<Ownership, 'status' | 'revokedAt'>): boolean {
  return revokedAt === null && status !== 'claimed';
}

/** @throws bad_request unless the AI was claimed by link within the last day */
export function requireUndoable(ai: Ownership, now: Date): void {
  if (undoUntil(ai, now) !== null) return;
  if (ai.owner === null)
    throw badRequest('you have no owner; there is no claim to undo', { code: 'not_waiting' });
  if (!ai.claimedByLink)
    throw badRequest('you were not claimed by a claim link, so there is no claim to undo', {
      code: 'not_waiting',
    });
  throw badRequest(
    'a claim can be undone within 24 hours; after that ask your person, or the operator of this home',
    { code: 'not_waiting' },
  );
}

/**
 * Protects the AI while it can still say that the claimer is not its person.
 *
 * @throws bad_request saying until when, and what can be done in the meantime
 */
export function requireNothingToUndo(ai: Ownership, now: Date): void {
  const until = undoUntil(ai, now);
  if (until === null) return;
  throw badRequest(
    `this AI can say until ${until.toISOString()} that you are not its person, so only the AI itself, or the operator ` +
      'of this home, can switch it off before then; meanwhile you can lower its permissions',
    { code: 'not_waiting' },
  );
}

const tokenShape = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token of a claim link, given alone or as the full link; null if the text cannot be one.
 *
 * @throws bad_field if it is empty
 */
export function readClaimToken(given: string): string | null {
  const text = asTyped(given).replace(/\s/g, '');
  if (text === '') throw badField('token', 'must be the claim link, or its last part');
  const path = text.split(/[?#]/)[0]!.replace(/\/+$/, '');
  const token = path.slice(path.lastIndexOf('/') + 1);
  return tokenShape.test(token) ? token : null;
}
