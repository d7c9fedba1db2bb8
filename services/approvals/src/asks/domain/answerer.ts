import { forbidden, type HearthError, personNeeded } from '@hearth/errors';
import type { RecipientRow } from '../db/recipients.ts';

/** The person or AI that is about to answer. */
export interface Answerer {
  /** uuid of the person or AI. */
  id: string;
  kind: 'person' | 'ai';
  /** uuid of the person that an AI acts for. */
  person: string | null;
  /** Holds the permission approve; people always do. */
  mayApprove: boolean;
  /** Holds the permission message; people always do. */
  mayMessage: boolean;
  /** The programs through which they answer, as programsOf names them. */
  programs: readonly string[];
}

/** An ask, as far as it decides who answers it. */
export interface Asked {
  kind: string;
  about: string | null;
  /** uuid of the person or AI that asks, and of the person behind. */
  asker: string | null;
  asker_person: string | null;
  /** The programs through which it was asked. */
  asker_programs: readonly string[];
}

/** A recipient, as far as it decides who answers for them. */
export type AnswererFacts = Pick<
  RecipientRow,
  'kind' | 'recipient' | 'person' | 'owner' | 'decision' | 'handling' | 'minor'
>;

/** The kinds that only a person's own word settles. */
const personalKinds = new Set(['photo', 'join_request', 'guardian', 'rules']);

/** Whether only a person's own tap counts: for everything about a child, and for some kinds. */
export function needsPerson(ask: { kind: string; about: string | null }): boolean {
  return ask.about !== null || personalKinds.has(ask.kind);
}

/**
 * The place for which this caller would answer: their own first, then that of an AI's person. A place that still waits goes
 * before others. Null when they are not asked.
 */
export function placeOf<P extends AnswererFacts>(answerer: Answerer, places: readonly P[]): P | null {
  const theirs = places.filter((place) => isDelivered(place) && isTheirs(answerer, place));
  const rank = (place: AnswererFacts) =>
    (place.decision === 'waiting' ? 0 : 2) + (isOwn(answerer, place) ? 0 : 1);
  return theirs.reduce<P | null>(
    (best, place) => (best === null || rank(place) < rank(best) ? place : best),
    null,
  );
}

/** False for a place that a rule declined or turned away: the recipient never sees it. */
export function isDelivered({ handling }: Pick<AnswererFacts, 'handling'>): boolean {
  return handling !== 'declined' && handling !== 'turned_away';
}

function isOwn({ id }: Answerer, { recipient }: AnswererFacts): boolean {
  return recipient === id;
}

function isTheirs(answerer: Answerer, place: AnswererFacts): boolean {
  if (isOwn(answerer, place)) return true;
  if (place.kind !== 'person') return false;
  return place.person !== null && (place.person === answerer.id || place.person === answerer.person);
}

/**
 * The refusal of that answer for that place, or null. An AI answers asks to itself, and asks of others to its person with the
 * permission approve; at the front door it may decline without it.
 */
export function answerRefusal(
  answerer: Answerer,
  place: AnswererFacts,
  ask: Asked,
  decision: 'approved' | 'declined',
): HearthError | null {
  const own = isOwnAsk(answerer, ask) ? ownAsk(answerer) : null;
  if (answerer.kind === 'person') return own;
  if (needsPerson(ask) || isGuardians(place)) {
    return personNeeded('a person has to answer this themselves; tell yours that it waits for them');
  }
  if (own !== null) return own;
  if (isOwn(answerer, place))
    return answerer.mayMessage
      ? null
      : forbidden('this was asked of you, and you need the permission message to answer it', {
          scopes: ['message'],
        });
  if (answerer.mayApprove) return null;
  if (place.owner === answerer.id && decision === 'declined') return null;
  return personNeeded(
    'you do not hold the permission approve, so your person has to answer this; tell them that it waits for them',
    { scopes: ['approve'] },
  );
}

/**
 * Whether who asks would answer, which would tell nothing: the same AI, or the program through which that person's ask was made, an app or
 * an OAuth client. One program serves several people, who answer each other through it.
 */
function isOwnAsk({ id, kind, person, programs }: Answerer, ask: Asked): boolean {
  if (kind === 'ai' && id === ask.asker) return true;
  if (person === null || person !== ask.asker_person) return false;
  return programs.some((program) => ask.asker_programs.includes(program));
}

function ownAsk({ kind }: Answerer): HearthError {
  const words =
    kind === 'ai'
      ? 'you asked this yourself, so your person has to answer it; tell them that it waits for them'
      : "this app asked for the same person, so it can't answer for them; they answer it on the home's own pages";
  return forbidden(words, { code: 'own_ask', needsPerson: true });
}

/** A guardian answers this place for a child. */
function isGuardians({ kind, minor, person, recipient }: AnswererFacts): boolean {
  return kind === 'person' && minor && person !== recipient;
}

/**
 * The refusal of an answer about a child in that place, or null.
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
  return personNeeded(
    `this home takes answers about a child on its own pages alone; open ${link} and answer there`,
  );
}

/** The refusal for a caller who may see an ask and is not asked. */
export function notAsked(): HearthError {
  return forbidden('this was not asked of you or your person');
}
