import { badField } from '@hearth/errors';

/** The permissions that an AI may get, in the order in which they are shown. */
const known = ['read', 'notes', 'message', 'group', 'invite', 'approve'];

/** For an AI without an owner, and for one whose owner says nothing. */
export const usualPermissions: readonly string[] = ['read', 'message'];

export const groupAiPermissions: readonly string[] = ['read', 'notes', 'group'];

/**
 * The permissions that an owner gives, each once and in order; the usual ones when none are given.
 *
 * @param given words: "read"
 * @throws bad_field for what is none
 */
export function readPermissions(given: readonly string[]): string[] {
  if (given.length === 0) return [...usualPermissions];
  const strange = given.find((word) => !known.includes(word));
  if (strange !== undefined) throw badField('permissions', `must be some of ${known.join(', ')}`);
  return known.filter((word) => given.includes(word));
}

/** Whether a change lets the AI answer for its person from now on. */
export function raisesToApprove(before: readonly string[], after: readonly string[]): boolean {
  return after.includes('approve') && !before.includes('approve');
}
