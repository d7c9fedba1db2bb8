import { badField, HearthError } from '@hearth/errors';
import { type AddressOptions, parseAddress, printAddress } from './address.ts';
import { asReference } from './typed.ts';

/** The names that mark an address as local. */
export type HomeNames = AddressOptions & { ownHome: string };

/**
 * The canonical text of the address that a caller gave in `field`, in whichever spelling.
 *
 * @throws bad_field for what is no address
 */
export function readAddress(text: string, field: string, homeNames: HomeNames): string {
  return printAddress(read(text, field, homeNames));
}

/**
 * The same for an address that must be of this home.
 *
 * @throws not_built for one of another home
 */
export function readLocalAddress(text: string, field: string, homeNames: HomeNames): string {
  const address = read(text, field, homeNames);
  if (address.home !== undefined) {
    throw new HearthError(
      'not_built',
      `${field}: this is not done with addresses of other homes yet, such as ${address.home}; messages and asks are`,
      { code: 'not_built', field },
    );
  }
  return printAddress(address);
}

function read(text: string, field: string, homeNames: HomeNames) {
  const address = parseAddress(asReference(text), homeNames);
  if (address === null)
    throw badField(field, 'must be like @handle, @handle.ai-name, &handle, &handle.ai-group or handle@home');
  return address;
}
