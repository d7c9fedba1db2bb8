import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ActorSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import { actsForNoOne, namesNoOne } from './acts-for.ts';
import type { Caller } from './caller.ts';

/**
 * uuid of the person whose word counts: the person who calls, or the owner of the AI that calls.
 *
 * @throws forbidden for an AI without an owner; bad_request for an app that names no one to act for
 */
export function actingPerson(caller: Caller): string {
  if (caller.kind === CallerKind.PERSON) return caller.id;
  if (caller.kind === CallerKind.AI && caller.person !== '') return caller.person;
  throw caller.kind === CallerKind.APP ? namesNoOne() : actsForNoOne();
}

/** The same, or null where the caller acts for no person. */
export function personOf(caller: Caller): string | null {
  if (caller.kind === CallerKind.PERSON) return caller.id;
  return caller.kind === CallerKind.AI && caller.person !== '' ? caller.person : null;
}

/** The programs that send what a caller does: the app that acts for them, and the OAuth client that speaks as their AI. */
export function programsOf({ app, client }: Pick<Caller, 'app' | 'client'>): string[] {
  return [...(app === '' ? [] : [`app:${app}`]), ...(client === '' ? [] : [`client:${client}`])];
}

/** The actor of an event, from its caller. */
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
