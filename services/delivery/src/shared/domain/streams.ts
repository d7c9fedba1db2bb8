import { forbidden, type HearthError } from '@hearth/errors';

/** An AI and its owner, whose items wake it; null without an owner. */
export interface Woken {
  ai: string;
  person: string | null;
}

/** A position in the stream of an AI. */
export interface StreamPlace {
  /** The last number before the position; 0 at the beginning. */
  number: number;
  /** The time at which the position was read. */
  at: Date;
}

/** A wake-up recorded in the stream of its AI. */
export interface RecordedWakeUp {
  /** uuid */
  ai: string;
  /** Its number in the stream. */
  number: number;
  /**
   * uuid; receivers see it as evt_{hex}. The event's own, or derived from it if one event makes two wake-ups
   * for one AI.
   */
  eventId: string;
  /** "message.direct" */
  name: string;
  at: Date;
  /** uuids of the groups in which it happened. */
  groups: readonly string[];
  /** The payload as public JSON. */
  data: object;
}

/** Why a subscription ended other than by its AI. */
export type Ending = 'revoked' | 'changed_hands';

/** Topic that is woken when a wake-up is recorded for an AI, or the AI changes owners. */
export function eventsTopic(ai: string): string {
  return `events:${ai}`;
}

/** The error for an AI whose events are not recorded. */
export function mayNotRead(): HearthError {
  return forbidden(
    'nothing is recorded for this AI while it may not read: it does not hold the permission read, or its person’s guardian does not let AIs act',
    { scopes: ['read'] },
  );
}
