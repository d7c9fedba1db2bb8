import { forbidden, notFound } from '@hearth/errors';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import { actingPerson, type Caller, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { Party } from '../domain/party.ts';

/**
 * The caller as a side.
 *
 * @throws forbidden (minors_not_allowed) for people under 18 and their AIs; bad_request for an app that acts for no one
 */
export async function findCaller({ people }: Pick<Context, 'people'>, caller: Caller): Promise<Party> {
  if (caller.minor)
    throw forbidden('people under 18 and their AIs make no appointments here', {
      code: 'minors_not_allowed',
    });
  const { id, address, name, aiStatus } = caller;
  const app = caller.app || null;
  if (caller.kind === callerKinds.AI) {
    const owner = { person: caller.person || null, group: caller.group || null };
    return { kind: 'ai', id, address, name, aiStatus, app, ...owner };
  }
  const person = await people.findOne(actingPerson(caller));
  if (person === null) throw notFound();
  return {
    ...{ kind: 'person', id: person.id, person: person.id, group: null },
    ...{ address: `@${person.handle}`, name: person.name, aiStatus: AiStatus.UNSPECIFIED },
    app: person.app || null,
  };
}

/** The party behind a profile of this home. */
export function toParty({ id, person, owner, group, address, name, aiStatus, app }: Profile): Party {
  return {
    kind: person ? 'person' : 'ai',
    ...{ id, address, name, aiStatus, app: app || null, group: group || null },
    person: person ? id : owner || null,
  };
}
