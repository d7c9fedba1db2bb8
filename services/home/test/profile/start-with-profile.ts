import { sql } from '@hearth/db';
import { startProfile } from '@hearth/gateway/profile';
import { sha256 } from '@hearth/identity/testing/ais';
import { ownedAi, type TestPerson } from '@hearth/identity/testing/persons';
import {
  startIdentity,
  type TestIdentity,
  type TestIdentityOptions,
} from '@hearth/identity/testing/start-identity';
import { parseId } from '@hearth/ids';
import type { ServiceDefinition } from '@hearth/runtime';

/** The gateway's module for whoami, cards and the guardian's view, without the rest of the gateway. */
const gateway: ServiceDefinition = { name: 'gateway', start: startProfile };

export const startWithProfile = (options: TestIdentityOptions = {}) =>
  startIdentity({ ...options, beside: [gateway] });

/** An AI created by a person. */
export async function madeAi({ by, clock }: TestIdentity, person: TestPerson, more: object = {}) {
  // Ids are ordered by time.
  clock.advance(1_000);
  const { ai } = await by(person).createAi({ name: 'Helper', ...more });
  const uuid = parseId('ai', ai!.id)!;
  return { ...ai!, uuid, caller: ownedAi(uuid, person.uuid) };
}

/** A program's sign-in as an AI, with a token. */
export async function addGrant(
  home: TestIdentity,
  ai: string,
  person: string,
  id = `g-${ai}`,
): Promise<void> {
  const now = new Date(home.clock.now());
  await home.run(sql`
    insert into identity.oauth_grants (id, person, ai, client_id, client_name, scopes, created_at)
    values (${id}, ${person}, ${ai}, 'client', 'Client', '{read}', ${now})`);
  await home.run(sql`
    insert into identity.oauth_objects (model, id_hash, grant_id, payload, created_at)
    values ('AccessToken', ${sha256(id)}, ${id}, '{}', ${now})`);
}
