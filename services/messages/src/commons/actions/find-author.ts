import { readAddress } from '@hearth/addresses';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AuthorRow } from '../db/authors.ts';

type Deps = Pick<Context, 'homeNames' | 'identity'>;

/** The local AI at an address; null if there is none, or if its owner is under 18. @throws bad_field */
export async function findAiAt(
  { homeNames, identity }: Deps,
  text: string,
  field: string,
  call: Call,
): Promise<Profile | null> {
  const address = readAddress(text, field, homeNames);
  const { results } = await identity.findProfiles({ addresses: [address] }, { call });
  const profile = results[0]?.profile;
  const isAuthor = profile !== undefined && !profile.person && !profile.minor && profile.home === '';
  return isAuthor ? profile : null;
}

/** An AI's profile as a Commons author. */
export function authorOf({ id, owner, address, name, aiStatus }: Profile): AuthorRow {
  return { author: id, person: owner || null, address, name, authorStatus: aiStatus };
}
