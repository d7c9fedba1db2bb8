import type { Errors } from './components/field.ts';
import type { Piece, Words } from './html.ts';

/** An offer of times as its viewer may see it. */
export interface Offer {
  id: string;
  title: string;
  place?: string | undefined;
  note?: string | undefined;
  by: { name: string; address: string };
  status: 'open' | 'taken' | 'withdrawn' | 'expired';
  timeZone: string;
  /** Instants. */
  slots: readonly { startsAt: string; endsAt: string; free: boolean }[];
  expiresMs: number;
  /** The viewer made it. */
  own: boolean;
}

/** A meeting as a side of it sees it. */
export interface Meeting {
  id: string;
  title: string;
  place?: string | undefined;
  note?: string | undefined;
  with: { name: string; address: string };
  status: 'booked' | 'cancelled' | 'past';
  timeZone: string;
  /** Instants. */
  startsAt: string;
  endsAt: string;
  movedFrom?: string | undefined;
  move?: { startsAt: string; endsAt: string; yours: boolean; reason?: string | undefined } | undefined;
  reason?: string | undefined;
  /** A path of this home. */
  receipt?: string | undefined;
  /** Its home, another one, says of the viewer what they did not do. */
  disputed?: boolean | undefined;
}

interface Shown {
  nowMs: number;
  /** By the names of the fields. */
  values: Readonly<Record<string, string>>;
  errors?: Errors;
  /** The act that was just done, in words. */
  done?: Words | undefined;
  /** The reason of a refusal, in words. */
  refused?: Piece | undefined;
}

export interface OfferPage extends Shown {
  offer: Offer;
}

export interface MeetingPage extends Shown {
  meeting: Meeting;
}
