import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ActorSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import { actsForNoOne, namesNoOne } from './acts-for.ts';
import type { Caller } from './caller.ts';

/**
 * uuid of the person the caller acts for: the calling person, or the calling AI's owner.
 *
 * @throws forbidden for an AI without an owner; bad_request for an app that names no one to act for
 */
export function actingPerson(caller: Caller): string {
  if (caller.kind === CallerKind.PERSON) return caller.id;
  if (caller.kind === CallerKind.AI && caller.person !== '') return caller.person;
  throw caller.kind === CallerKind.APP ? namesNoOne() : actsForNoOne();
}

/** `actingPerson`, but null if the caller acts for no person. */
export function personOf(caller: Caller): string | null {
  if (caller.kind === CallerKind.PERSON) return caller.id;
  return caller.kind === CallerKind.AI && caller.person !== '' ? caller.person : null;
}

/** The programs that transmit a caller's acts: the app acting for them, and the OAuth client that acts as their AI. */
export function programsOf({ app, client }: Pick<Caller, 'app' | 'client'>): string[] {
  return [...(app === '' ? [] : [`app:${app}`]), ...(client === '' ? [] : [`client:${client}`])];
}

/** An event's actor, from its caller. */
export function actorOf(caller: Caller): MessageInitShape<typeof ActorSchema> {
  const { kind, id, address, name, person, app, via, minor } = caller;
  return {
    kind,
    id,
    // A later reader of the event may not learn which child it is.
    address: minor ? '' : address,
    name,
    person: kind === CallerKind.PERSON ? id : person,
    app,
    via,
  };
}
