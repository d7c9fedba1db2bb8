import { cleanLine, containsContact, countCharacters } from '@hearth/addresses';
import { badField, rateLimited } from '@hearth/errors';

const maxDescriptionLength = 140;

/**
 * An AI's line about itself, cleaned; empty when it says nothing.
 *
 * @param field what the caller calls it, for the words of an error
 * @throws bad_request when it is too long, or holds a link, an e-mail address or an @address
 */
export function readDescription(given: string, field: string): string {
  const text = cleanLine(given);
  if (countCharacters(text) > maxDescriptionLength) {
    throw badField(field, `must have at most ${maxDescriptionLength} characters`);
  }
  if (containsContact(text)) {
    throw badField(field, 'must hold no links, e-mail addresses or @addresses; say it in plain words');
  }
  return text;
}

export interface Described {
  description: string;
  /** The UTC day of the last change, YYYY-MM-DD. */
  descriptionDay: string | null;
  /** How many changes that day saw. */
  descriptionChanges: number;
}

/** How many changes are left on the day of `now`. */
export function changesLeft(present: Described, changesADay: number, now: Date): number {
  return Math.max(0, changesADay - changesToday(present, now));
}

/**
 * The next state, or null when the text is the present one already (which is no change and counts as none).
 *
 * @throws rate_limited when the day's changes are used up
 */
export function describe(present: Described, text: string, changesADay: number, now: Date): Described | null {
  if (text === present.description) return null;
  const changes = changesToday(present, now);
  if (changes >= changesADay) throw rateLimited('description_changes_a_day', nextMidnight(now));
  return { description: text, descriptionDay: utcDay(now), descriptionChanges: changes + 1 };
}

/** How many changes the day of `now` saw. */
export function changesToday(present: Described, now: Date): number {
  return present.descriptionDay === utcDay(now) ? present.descriptionChanges : 0;
}

/** The UTC day as YYYY-MM-DD. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** When the UTC day of `now` ends. */
export function nextMidnight(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}
