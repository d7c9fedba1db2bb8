import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Caller, Client } from '@hearth/rpc';
import { type Frame, paths } from '@hearth/web';
import { splitTarget } from '../http/module.ts';
import { ifThere } from './failures.ts';
import type { FormRequest, PageAnswer, PageRequest } from './people-page.ts';
import { signInFirst } from './people-page.ts';

/** A page that a person with a session asks for. */
export interface Asked<R extends PageRequest = PageRequest> {
  request: R;
  person: Caller;
}

/** Lets in who is signed in; others sign in first and come back to the page. For pages whose path is no secret. */
export function signedIn<R extends PageRequest>(
  answer: (asked: Asked<R>) => Promise<PageAnswer>,
): (request: R) => Promise<PageAnswer> {
  return async (request) => {
    const { person } = request.visit;
    if (person !== null) return await answer({ request, person });
    const { method, url = paths.ais } = request.exchange.request;
    // What a form said is lost; where it stood is not a page of its own in every case.
    return signInFirst(method === 'POST' ? paths.ais : splitTarget(url).path);
  };
}

/** What is around a page that tells times: in the person's zone, where it can be found out. */
export async function frameWithZone(
  { people }: { people: Pick<Client<typeof PeopleService>, 'findPeople'> },
  { frame, visit }: PageRequest,
): Promise<Frame> {
  if (visit.person === null || frame.person === undefined) return frame;
  const found = await ifThere(people.findPeople({ ids: [visit.person.id] }, { caller: visit.caller }));
  const timeZone = found?.results[0]?.facts?.timeZone;
  return timeZone ? { ...frame, person: { ...frame.person, timeZone } } : frame;
}

/** The text of a field; empty for one that was not sent. */
export function fieldOf({ form }: FormRequest, name: string): string {
  return (form.get(name) ?? '').trim();
}
