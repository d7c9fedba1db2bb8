import { cleanLine, containsContact, countCharacters } from '@hearth/addresses';
import { badField, rateLimited } from '@hearth/errors';

const maxDescriptionLength = 140;

/**
 * Cleans an AI's description of itself; may be empty.
 *
 * @param field the caller's name for it, for errors
 * @throws bad_request if it is too long, or contains a link, an email address or an @address
 */
export function readDescription(given: string, field: string): string {
  const text = cleanLine(given);
  if (countCharacters(text) > maxDescriptionLength) {
    throw badField(field, `must have at most ${maxDescriptionLength} characters`);
  }
  if (containsContact(text)) {
    throw badField(field, 'must hold no links, email addresses or @addresses; say it in plain words');
  }
  return text;
}

export interface Described {
  description: string;
  /** The UTC day of the last change, YYYY-MM-DD. */
  descriptionDay: string | null;
  /** The number of changes on that day. */
  descriptionChanges: number;
}

/** The number of changes left on the day of `now`. */
export function changesLeft(present: Described, changesADay: number, now: Date): number {
  return Math.max(0, changesADay - changesToday(present, now));
}

/**
 * The next state; null if the text is unchanged, which does not count as a change.
 *
 * @throws rate_limited if the day's changes are used up
 */
export function describe(present: Described, text: string, changesADay: number, now: Date): Described | null {
  if (text === present.description) return null;
  const changes = changesToday(present, now);
  if (changes >= changesADay) throw rateLimited('description_changes_a_day', nextMidnight(now));
  return { description: text, descriptionDay: utcDay(now), descriptionChanges: changes + 1 };
}

/** The number of changes on the day of `now`. */
export function changesToday(present: Described, now: Date): number {
  return present.descriptionDay === utcDay(now) ? present.descriptionChanges : 0;
}

/** The UTC day as YYYY-MM-DD. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The end of `now`'s UTC day. */
export function nextMidnight(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}
