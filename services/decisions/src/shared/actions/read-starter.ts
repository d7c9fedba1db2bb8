import { forbidden, notFound } from '@hearth/errors';
import { isMinor, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { actingPerson, type Caller, callerKinds } from '@hearth/rpc';
import type { Starter } from '../domain/starter.ts';
import type { Deps } from './deps.ts';

/**
 * The caller as a starter.
 *
 * @throws forbidden for an AI without the group permission, and (guardian_needed) for a child; not_found if
 * the account is gone
 */
export async function readStarter({ people }: Pick<Deps, 'people'>, caller: Caller): Promise<Starter> {
  const byAi = caller.kind === callerKinds.AI;
  if (byAi && !caller.scopes.includes(Scope.GROUP) && caller.group === '')
    throw forbidden('this needs the permission group', { scopes: ['group'] });
  const person = byAi && caller.group !== '' ? null : await personOf(people, caller);
  const minor = person !== null && isMinor(person);
  return {
    starter_kind: byAi ? 'ai' : 'person',
    starter: caller.id,
    starter_person: person?.id ?? null,
    starter_app: caller.app || null,
    starter_address: byAi ? caller.address : `@${person?.handle ?? ''}`,
    starter_name: byAi ? caller.name : nameOf(person, minor),
    starter_minor: minor,
  };
}

async function personOf(people: Deps['people'], caller: Caller): Promise<PersonFacts> {
  const person = await people.findOne(actingPerson(caller));
  if (person === null) throw notFound();
  if (isMinor(person) && person.guardians.length > 0)
    throw forbidden('your guardian starts this for you', { code: 'guardian_needed' });
  return person;
}

function nameOf(person: PersonFacts | null, minor: boolean): string {
  const name = person?.name ?? '';
  return minor ? shortenName(name) : name;
}
