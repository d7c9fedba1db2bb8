import { cleanLine, countCharacters } from '@hearth/addresses';
import { badField } from '@hearth/errors';

const dayMs = 86_400_000;

export interface AwayState {
  awayUntil: Date | null;
  /** Empty without one. */
  awayNote: string;
}

export interface AwayLimits {
  /** How far ahead it can reach. */
  days: number;
  noteCharacters: number;
}

export const notAway: AwayState = { awayUntil: null, awayNote: '' };

/**
 * The state that a caller asks for; without `until` the end of being away.
 *
 * @throws bad_request when `until` has passed or is further ahead than it may, or the note is too long or alone
 */
export function readAway(
  until: Date | null,
  note: string | undefined,
  limits: AwayLimits,
  now: Date,
): AwayState {
  const awayNote = cleanLine(note ?? '');
  if (until === null) {
    if (awayNote !== '') throw badField('note', 'belongs to an until; give both, or neither to be back');
    return notAway;
  }
  const ahead = until.getTime() - now.getTime();
  if (!(ahead > 0)) throw badField('until', 'must lie in the future; leave it out, or send null, to be back');
  if (ahead > limits.days * dayMs) throw badField('until', `must be at most ${limits.days} days ahead`);
  if (countCharacters(awayNote) > limits.noteCharacters) {
    throw badField('note', `must have at most ${limits.noteCharacters} characters`);
  }
  return { awayUntil: until, awayNote };
}

/** Being away ends by itself. */
export function isAway({ awayUntil }: AwayState, now: Date): boolean {
  return awayUntil !== null && awayUntil.getTime() > now.getTime();
}

/** Whether two states say the same to everyone at `now`. */
export function sameAway(one: AwayState, other: AwayState, now: Date): boolean {
  if (!isAway(one, now)) return !isAway(other, now);
  return one.awayUntil?.getTime() === other.awayUntil?.getTime() && one.awayNote === other.awayNote;
}
