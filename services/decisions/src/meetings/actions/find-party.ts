import { create } from '@bufbuild/protobuf';
import { forbidden, notFound } from '@hearth/errors';
import { callerElsewhere } from '@hearth/people';
import { AiStatus, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import { actingPerson, type Caller, callerKinds, personOf } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import { isHere, type Party } from '../domain/party.ts';

/**
 * The caller as a side.
 *
 * @throws forbidden (minors_not_allowed) for people under 18 and their AIs; bad_request for an app that acts
 * for no person
 */
export async function findCaller({ people }: Pick<Context, 'people'>, caller: Caller): Promise<Party> {
  if (caller.minor)
    throw forbidden('people under 18 and their AIs make no appointments here', {
      code: 'minors_not_allowed',
    });
  const party = partyOf(caller);
  if (party.kind === 'ai' || !isHere(party)) return party;
  const person = await people.findOne(actingPerson(caller));
  if (person === null) throw notFound();
  const { app, handle, id, name } = person;
  return { ...party, id, person: id, address: `@${handle}`, name, app: app || null };
}

/** `findCaller` from the call alone, without looking up the person. */
export function partyOf(caller: Caller): Party {
  if (caller.home !== '') return fromElsewhere(caller);
  const { address, aiStatus, app, id, name } = caller;
  const byAi = caller.kind === callerKinds.AI;
  const of = byAi
    ? ({ kind: 'ai', id, person: caller.person || null, group: caller.group || null } as const)
    : ({ kind: 'person', id: viewerIdOf(caller), person: personOf(caller), group: null } as const);
  return { ...of, address, name, aiStatus: byAi ? aiStatus : AiStatus.UNSPECIFIED, app: app || null };
}

/** A remote party; other homes don't reveal an AI's owner. */
export function fromElsewhere({ address, aiStatus, home, id, kind, name }: Caller): Party {
  const byAi = kind === callerKinds.AI;
  const of = { person: byAi ? null : id, group: null, app: null, home };
  return { kind: byAi ? 'ai' : 'person', id, address, name, aiStatus, ...of };
}

/** The party as the caller of follow-up requests. */
export function callerOf(party: Party): Caller {
  const { kind, id, person, group, address, name, aiStatus, app, home } = party;
  const byAi = kind === 'ai';
  return create(CallerSchema, {
    kind: byAi ? callerKinds.AI : callerKinds.PERSON,
    ...{ id, address, name, aiStatus, app: app ?? '', group: group ?? '', home: home ?? '' },
    person: byAi ? (person ?? '') : '',
    via: home !== undefined ? Via.HOME : byAi ? Via.API : app === null ? Via.WEB : Via.APP,
  });
}

/** The party of a profile. */
export function toParty(profile: Profile): Party {
  const { id, person, owner, group, address, name, aiStatus, app } = profile;
  if (profile.home !== '') return fromElsewhere(callerElsewhere(profile));
  return {
    kind: person ? 'person' : 'ai',
    ...{ id, address, name, aiStatus, app: app || null, group: group || null },
    person: person ? id : owner || null,
  };
}
