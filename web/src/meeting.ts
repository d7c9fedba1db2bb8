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
  /** Whether the viewer made it. */
  own: boolean;
}

/** A meeting as one of its sides sees it. */
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
  /** Whether its home, a remote one, claims acts of the viewer that they did not do. */
  disputed?: boolean | undefined;
}

interface Shown {
  nowMs: number;
  /** By field name. */
  values: Readonly<Record<string, string>>;
  errors?: Errors;
  /** The notice of the act that was just done. */
  done?: Words | undefined;
  /** The reason of a refusal. */
  refused?: Piece | undefined;
}

export interface OfferPage extends Shown {
  offer: Offer;
}

export interface MeetingPage extends Shown {
  meeting: Meeting;
}
