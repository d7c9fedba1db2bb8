import { forbidden, type HearthError, personNeeded } from '@hearth/errors';
import type { RecipientRow } from '../db/recipients.ts';

/** The person or AI that wants to answer. */
export interface Answerer {
  /** uuid of the person or AI. */
  id: string;
  kind: 'person' | 'ai';
  /** uuid of the person an AI acts for. */
  person: string | null;
  /** Has the permission `approve`; always true for people. */
  mayApprove: boolean;
  /** Has the permission `message`; always true for people. */
  mayMessage: boolean;
  /** The programs through which they answer, as `programsOf` names them. */
  programs: readonly string[];
}

/** The facts of an ask that decide who may answer it. */
export interface Asked {
  kind: string;
  about: string | null;
  /** uuids of the asking person or AI, and of its person. */
  asker: string | null;
  asker_person: string | null;
  /** The programs through which it was asked. */
  asker_programs: readonly string[];
}

/** The facts of a recipient that decide who may answer for them. */
export type AnswererFacts = Pick<
  RecipientRow,
  'kind' | 'recipient' | 'person' | 'owner' | 'decision' | 'handling' | 'minor'
>;

/** The kinds that only a person can settle. */
const personalKinds = new Set(['photo', 'join_request', 'guardian', 'rules']);

/** Whether only a person's own tap counts: everything about a child, and some kinds. */
export function needsPerson(ask: { kind: string; about: string | null }): boolean {
  return ask.about !== null || personalKinds.has(ask.kind);
}

/**
 * The place that this caller would answer: their own before their person's, waiting places before answered
 * ones. Null if they are not asked.
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

/** False for a place that a rule declined or turned away: the recipient never sees the ask. */
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
 * Why the answer is refused for that place, or null. An AI answers asks addressed to it, and with the
 * permission `approve` asks to its person; at the front door it may decline without that permission.
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
 * Whether the asker would answer their own ask: the same AI, or the person through the program (app or OAuth
 * client) that asked for them. Different people may answer each other through one program.
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

/** Whether a guardian answers this place for a child. */
function isGuardians({ kind, minor, person, recipient }: AnswererFacts): boolean {
  return kind === 'person' && minor && person !== recipient;
}

/**
 * Why an answer about a child is refused, or null.
 *
 * @param taps `home` accepts answers only on the home's own pages
 * @param throughApp whether the person's app answers for them
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

/** The refusal for a caller who may see the ask but is not asked. */
export function notAsked(): HearthError {
  return forbidden('this was not asked of you or your person', { rule: 'not_asked' });
}
