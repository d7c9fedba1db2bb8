import { aiNameToSlug, asTyped, checkHandle, handleRules } from '@hearth/addresses';
import { badField, type HearthError } from '@hearth/errors';

const dayMs = 86_400_000;

/** How many are tried with small numbers before one is drawn by lot. */
const numbered = 20;

/**
 * A handle that a person chose: in small letters and without the @, however they typed it.
 *
 * @throws bad_field when it has not the form of one, or is the home's own
 */
export function readHandle(given: string): string {
  const handle = asTyped(given).toLowerCase().replace(/^@/, '');
  const wrong = checkHandle(handle);
  if (wrong !== null) throw badField('handle', wrong);
  return handle;
}

export function handleTaken(handle: string): HearthError {
  return badField('handle', `"${handle}" is taken; choose another`);
}

/**
 * The text that a handle is made from where none was chosen; for a minor the first word of the name alone: a caller
 * who tries handles must not find out a child's whole name.
 */
export function handleBase(name: string, minor: boolean): string {
  const told = minor ? (name.split(/\s+/u)[0] ?? '') : name;
  // aiNameToSlug makes `ai` of what has no letters that a handle can carry.
  const slug = /[a-z0-9]/.test(aiNameToSlug(`0${told}`).slice(1)) ? aiNameToSlug(told) : 'person';
  if (checkHandle(slug) === null) return slug;
  return `person-${slug}`.slice(0, handleRules.maxLength).replace(/-+$/, '');
}

/** `base`, `base-2`, `base-3`...: those to look for, the first free one is taken. */
export function handleCandidates(base: string): string[] {
  const all = Array.from({ length: numbered }, (_, index) =>
    index === 0 ? base : withSuffix(base, String(index + 1)),
  );
  return all.filter((handle) => checkHandle(handle) === null);
}

/** One by lot, for when those with small numbers are taken. `digits`: what is put behind it. */
export function drawnHandle(base: string, digits: string): string {
  return withSuffix(base, digits);
}

function withSuffix(base: string, suffix: string): string {
  const room = handleRules.maxLength - suffix.length - 1;
  return `${base.slice(0, room).replace(/-+$/, '')}-${suffix}`;
}

/** From when on a handle can be changed again; null when it can be now. */
export function handleChangesFrom(changedAt: Date | null, days: number, now: Date): Date | null {
  if (changedAt === null) return null;
  const again = new Date(changedAt.getTime() + days * dayMs);
  return again > now ? again : null;
}

/** @throws bad_field when the handle was changed less than so many days ago */
export function checkHandleChange(changedAt: Date | null, days: number, now: Date): void {
  const again = handleChangesFrom(changedAt, days, now);
  if (again === null) return;
  throw badField('handle', `can be changed once in ${days} days: again from ${again.toISOString()} on`);
}
