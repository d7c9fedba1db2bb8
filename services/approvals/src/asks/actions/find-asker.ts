import { forbidden, notFound } from '@hearth/errors';
import { isMinor, shortenName } from '@hearth/people';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actingPerson, type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** Who asks. */
export interface Asker {
  kind: 'ai' | 'person';
  id: string;
  /** The person who asks, or the owner of the AI; null for an AI that nobody owns. */
  person: PersonFacts | null;
  app: string | null;
  /** uuid of the group that the AI runs. */
  group: string | null;
  address: string;
  name: string;
  verified: boolean;
  minor: boolean;
  /** A person, or an AI that somebody owns or vouches for. */
  checked: boolean;
}

/**
 * @throws bad_request for an app that does not say for whom it acts; not_found for somebody whose account is gone
 */
export async function findAsker({ people }: Pick<Context, 'people'>, caller: Caller): Promise<Asker> {
  if (caller.kind === callerKinds.APP) actingPerson(caller);
  if (caller.kind !== callerKinds.AI && caller.kind !== callerKinds.PERSON)
    throw forbidden('asks are made by AIs and people');
  const own = personOf(caller);
  const person = own === null ? null : await people.findOne(own);
  if (own !== null && person === null) throw notFound();
  const minor = person !== null && isMinor(person);
  const common = { id: caller.id, person, app: caller.app || null, group: caller.group || null, minor };
  if (caller.kind === callerKinds.PERSON) {
    const { handle, name, guest, app } = person as PersonFacts;
    return {
      ...common,
      kind: 'person',
      address: `@${handle}`,
      name: minor ? shortenName(name) : name,
      verified: !guest || app !== '',
      checked: true,
    };
  }
  return {
    ...common,
    kind: 'ai',
    address: caller.address,
    name: caller.name,
    verified: caller.aiStatus === AiStatus.CLAIMED,
    checked: caller.aiStatus !== AiStatus.UNCLAIMED,
  };
}
