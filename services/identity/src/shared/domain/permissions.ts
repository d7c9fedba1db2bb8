import { badField } from '@hearth/errors';

/** All permissions of AIs, in display order. */
const known = ['read', 'notes', 'message', 'group', 'invite', 'approve'];

/** For an AI without an owner, and by default for one with an owner. */
export const usualPermissions: readonly string[] = ['read', 'message'];

export const groupAiPermissions: readonly string[] = ['read', 'notes', 'group'];

/**
 * The permissions that an owner grants, deduplicated and in order; the usual ones if none are given.
 *
 * @param given in lowercase, such as "read"
 * @throws bad_field for an unknown permission
 */
export function readPermissions(given: readonly string[]): string[] {
  if (given.length === 0) return [...usualPermissions];
  const strange = given.find((word) => !known.includes(word));
  if (strange !== undefined) throw badField('permissions', `must be some of ${known.join(', ')}`);
  return known.filter((word) => given.includes(word));
}

/** Whether a change newly lets the AI answer for its person. */
export function raisesToApprove(before: readonly string[], after: readonly string[]): boolean {
  return after.includes('approve') && !before.includes('approve');
}
