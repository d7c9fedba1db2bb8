import { parseAddress, printFullAddress } from '@hearth/addresses';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import type { Context } from '../context.ts';

/**
 * Returns the address by which other homes know a local person or AI; null if they may not know the party, or
 * it is remote.
 */
export function fullAddress(
  profile: Pick<Profile, 'address' | 'home' | 'minor'> | undefined,
  homeNames: Context['homeNames'],
): string | null {
  if (profile === undefined || profile.minor || profile.home !== '') return null;
  const named = parseAddress(profile.address, homeNames);
  return named === null ? null : printFullAddress(named, homeNames.ownHome);
}
