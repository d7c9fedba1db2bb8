import { cleanLine, countCharacters } from '@hearth/addresses';
import { badField } from '@hearth/errors';

const dayMs = 86_400_000;

export interface AwayState {
  awayUntil: Date | null;
  /** Empty if there is no note. */
  awayNote: string;
}

export interface AwayLimits {
  /** The longest time ahead. */
  days: number;
  noteCharacters: number;
}

export const notAway: AwayState = { awayUntil: null, awayNote: '' };

/**
 * The requested state; without `until`, the person or AI is back.
 *
 * @throws bad_request if `until` is past or too far ahead, or if the note is too long or has no `until`
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

export function isAway({ awayUntil }: AwayState, now: Date): boolean {
  return awayUntil !== null && awayUntil.getTime() > now.getTime();
}

/** Whether two states look the same to every viewer at `now`. */
export function sameAway(one: AwayState, other: AwayState, now: Date): boolean {
  if (!isAway(one, now)) return !isAway(other, now);
  return one.awayUntil?.getTime() === other.awayUntil?.getTime() && one.awayNote === other.awayNote;
}
