import { aiNameToSlug, asTyped, checkHandle, handleRules, isReservedHandle } from '@hearth/addresses';
import { badField, type HearthError } from '@hearth/errors';

const dayMs = 86_400_000;

/** The number of candidates before a random one is drawn. */
const numbered = 20;

/**
 * Reads a handle that a person chose into lowercase without the @.
 *
 * @throws bad_field if it is malformed or reserved for the home
 */
export function readHandle(given: string): string {
  const handle = asTyped(given).toLowerCase().replace(/^@/, '');
  const wrong = checkHandle(handle);
  if (wrong !== null) throw badField('handle', wrong, isReservedHandle(handle) ? { rule: 'reserved' } : {});
  return handle;
}

export function handleTaken(handle: string): HearthError {
  return badField('handle', `"${handle}" is taken; choose another`, { rule: 'taken' });
}

/**
 * The base for a handle if none was chosen. A minor's uses only the first word of the name, so that no one
 * can find a child's full name by trying handles.
 */
export function handleBase(name: string, minor: boolean): string {
  const told = minor ? (name.split(/\s+/u)[0] ?? '') : name;
  // aiNameToSlug returns `ai` for text without letters that a handle can carry.
  const slug = /[a-z0-9]/.test(aiNameToSlug(`0${told}`).slice(1)) ? aiNameToSlug(told) : 'person';
  if (checkHandle(slug) === null) return slug;
  return `person-${slug}`.slice(0, handleRules.maxLength).replace(/-+$/, '');
}

/** `base`, `base-2`, `base-3`...: candidates in order of preference. */
export function handleCandidates(base: string): string[] {
  const all = Array.from({ length: numbered }, (_, index) =>
    index === 0 ? base : withSuffix(base, String(index + 1)),
  );
  return all.filter((handle) => checkHandle(handle) === null);
}

/** A random handle, once the numbered ones are taken: the base with `digits` after it. */
export function drawnHandle(base: string, digits: string): string {
  return withSuffix(base, digits);
}

function withSuffix(base: string, suffix: string): string {
  const room = handleRules.maxLength - suffix.length - 1;
  return `${base.slice(0, room).replace(/-+$/, '')}-${suffix}`;
}

/** When the handle can be changed again; null if it can be now. */
export function handleChangesFrom(changedAt: Date | null, days: number, now: Date): Date | null {
  if (changedAt === null) return null;
  const again = new Date(changedAt.getTime() + days * dayMs);
  return again > now ? again : null;
}

/** @throws bad_field if the handle was changed within this many days */
export function checkHandleChange(changedAt: Date | null, days: number, now: Date): void {
  const again = handleChangesFrom(changedAt, days, now);
  if (again === null) return;
  throw badField('handle', `can be changed once in ${days} days: again from ${again.toISOString()} on`, {
    rule: 'changed_lately',
  });
}
