import { PeopleService, type PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Frame, paths } from '@hearth/web';
import { splitTarget } from '../http/module.ts';
import { ifThere } from './failures.ts';
import type { Answering, Context, Own, OwnForm, Page, PageAnswer, PageRequest } from './page.ts';
import { freshSignIn, signInFirst } from './sign-in.ts';

/** A page that needs a session; others sign in first and return to it. Only for pages whose path is no secret. */
export function signedIn({ get, post, ...page }: Page<Own, OwnForm>): Page {
  return { ...page, ...(get && { get: withPerson(get) }), ...(post && { post: withPerson(post) }) };
}

/** `signedIn` for a page that needs a recent sign-in; people without one sign in again and return to `next`. */
export function signedInAfresh(
  context: Pick<Context, 'clock'>,
  next: (request: Own) => string,
  { get, post, ...page }: Page<Own, OwnForm>,
): Page {
  const afresh =
    <R extends Own>(answer: Answering<R, PageAnswer>) =>
    (request: R) => {
      const goTo = freshSignIn(context, request.person, next(request));
      return goTo === undefined ? answer(request) : { goTo };
    };
  return signedIn({ ...page, ...(get && { get: afresh(get) }), ...(post && { post: afresh(post) }) });
}

function withPerson<R extends PageRequest>(answer: Answering<Own<R>, PageAnswer>) {
  return async (request: R): Promise<PageAnswer> => {
    const { person, suspended } = request.visit;
    if (suspended !== undefined) throw suspended;
    if (person !== null) return await answer({ ...request, person });
    const { method, url = paths.requests } = request.exchange.request;
    // The form's values are lost; its address is not always a page of its own.
    return signInFirst(method === 'POST' ? paths.requests : splitTarget(url).path);
  };
}

/** The frame of a page with times: in the person's time zone, if it can be found out. */
export async function frameWithZone(
  { ask, config }: Pick<Context, 'ask' | 'config'>,
  { frame, visit }: PageRequest,
): Promise<Frame> {
  if (visit.person === null || frame.person === undefined) return frame;
  const found = await ifThere(ask(PeopleService.method.findPeople, { ids: [visit.person.id] }, visit.caller));
  const facts = found?.results[0]?.facts;
  return facts === undefined ? frame : { ...frame, person: inZoneOf(frame, facts, config.timeZone) };
}

/** Guests, and people represented by an app, have the home's time zone until one is chosen; it is only a guess. */
export function inZoneOf<Person extends Frame['person'] & object>(
  { person }: { person?: Person },
  { timeZone, guest, app }: Pick<PersonFacts, 'timeZone' | 'guest' | 'app'>,
  homeZone: string,
): Person {
  const zoneAssumed = (guest || app !== '') && timeZone === homeZone;
  return { ...(person as Person), ...(timeZone !== '' && { timeZone, ...(zoneAssumed && { zoneAssumed }) }) };
}
