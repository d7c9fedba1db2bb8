import { forbidden, type HearthError } from '@hearth/errors';

/** An AI with the person for whose items it is woken; null without an owner. */
export interface Woken {
  ai: string;
  person: string | null;
}

/** A place in the stream of an AI. */
export interface StreamPlace {
  /** Everything up to this number came before. 0: the beginning. */
  number: number;
  /** The moment of which that is true. */
  at: Date;
}

/** A wake-up that stands in the stream of its AI. */
export interface RecordedWakeUp {
  /** uuid */
  ai: string;
  /** Its place in the stream. */
  number: number;
  /** uuid; receivers see it as evt_...: of the event, or derived when one event makes two wake-ups for one AI. */
  eventId: string;
  /** "message.direct" */
  name: string;
  at: Date;
  /** uuids of the groups that it happened in. */
  groups: readonly string[];
  /** The payload as its public JSON. */
  data: object;
}

/** Why subscriptions end without their AI's doing. */
export type Ending = 'revoked' | 'changed_hands';

/** Woken when something is recorded for an AI, or when it changes hands. */
export function eventsTopic(ai: string): string {
  return `events:${ai}`;
}

/** For an AI for which nothing is recorded. */
export function mayNotRead(): HearthError {
  return forbidden(
    'nothing is recorded for this AI while it may not read: it does not hold the permission read, or its person’s guardian does not let AIs act',
    { scopes: ['read'] },
  );
}
