import { badRequest, forbidden, type HearthError } from '@hearth/errors';

/** Who is about to answer. */
export interface Answerer {
  /** uuid of the person or AI. */
  id: string;
  kind: 'person' | 'ai';
  /** uuid of the person that an AI acts for. */
  person: string | null;
  /** Holds the permission approve; people always do. */
  mayApprove: boolean;
}

/** Somebody who is asked, as far as it decides who answers for them. */
export interface Place {
  kind: 'person' | 'ai' | 'email';
  /** uuid */
  recipient: string | null;
  /** uuid of the person whose word counts: themselves, an AI's owner, or the guardian. */
  person: string | null;
  /** uuid of whose list it stands in. */
  owner: string | null;
  decision: 'waiting' | 'approved' | 'declined';
  /** Whether it was ever theirs to see. */
  handling: 'delivered' | 'waiting_quietly' | 'front_door' | 'declined' | 'turned_away';
  minor: boolean;
}

/** The kinds that only a person's own word settles. */
const personalKinds = new Set(['photo', 'join', 'join_request', 'guardian', 'rules']);

/** Whether only a person's own tap counts: for everything about somebody under 18, and for some kinds. */
export function needsPerson(ask: { kind: string; about: string | null }): boolean {
  return ask.about !== null || personalKinds.has(ask.kind);
}

/**
 * The place for which somebody would answer: their own first, then an AI's person's. Of several it is one that still
 * waits. Null when they are not asked.
 */
export function placeOf<P extends Place>(answerer: Answerer, places: readonly P[]): P | null {
  const theirs = places.filter(
    (place) => place.handling !== 'declined' && place.handling !== 'turned_away' && isTheirs(answerer, place),
  );
  const rank = (place: Place) => (place.decision === 'waiting' ? 0 : 2) + (isOwn(answerer, place) ? 0 : 1);
  return theirs.reduce<P | null>(
    (best, place) => (best === null || rank(place) < rank(best) ? place : best),
    null,
  );
}

function isOwn({ id }: Answerer, { recipient }: Place): boolean {
  return recipient === id;
}

function isTheirs(answerer: Answerer, place: Place): boolean {
  if (isOwn(answerer, place)) return true;
  if (place.kind !== 'person') return false;
  return place.person !== null && (place.person === answerer.id || place.person === answerer.person);
}

/**
 * Why somebody may not give that answer for that place, or null. An AI answers what is addressed to itself, and for its
 * person with the permission approve; at the front door it may say no without.
 */
export function answerRefusal(
  answerer: Answerer,
  place: Place,
  ask: { kind: string; about: string | null },
  decision: 'approved' | 'declined',
): HearthError | null {
  if (answerer.kind === 'person') return null;
  if (needsPerson(ask) || isGuardians(place)) {
    return forbidden('a person has to answer this themselves; tell yours that it waits for them', {
      code: 'needs_person',
      needsPerson: true,
    });
  }
  if (isOwn(answerer, place) || answerer.mayApprove) return null;
  if (place.owner === answerer.id && decision === 'declined') return null;
  return forbidden(
    'you do not hold the permission approve, so your person has to answer this; tell them that it waits for them',
    { code: 'needs_person', needsPerson: true, scopes: ['approve'] },
  );
}

/** What a guardian answers in the place of somebody under 18. */
function isGuardians({ kind, minor, person, recipient }: Place): boolean {
  return kind === 'person' && minor && person !== recipient;
}

/**
 * Why an answer about somebody under 18 is not taken there, or null.
 *
 * @param taps `home` takes it on the home's own pages alone
 * @param throughApp whether the app that holds them answers for them
 * @param link the page of the ask
 */
export function tapRefusal(
  taps: 'any' | 'home',
  throughApp: boolean,
  { about }: { about: string | null },
  link: string,
): HearthError | null {
  if (taps === 'any' || !throughApp || about === null) return null;
  return forbidden(
    `this home takes answers about a child on its own pages alone; open ${link} and answer there`,
    {
      code: 'needs_person',
      needsPerson: true,
    },
  );
}

/** For somebody who may see an ask and is not asked. */
export function notAsked(): HearthError {
  return badRequest('this was not asked of you or your person', { code: 'no_permission' });
}
