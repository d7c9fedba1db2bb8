import { badField, HearthError } from '@hearth/errors';
import { type AddressOptions, parseAddress, printAddress } from './address.ts';
import { asReference } from './typed.ts';

/** The names that mark an address as local. */
export type HomeNames = AddressOptions & { ownHome: string };

/**
 * Reads the address that a caller gave in `field`, in any spelling; returns its canonical form.
 *
 * @throws bad_field if it is not an address
 */
export function readAddress(text: string, field: string, homeNames: HomeNames): string {
  return printAddress(read(text, field, homeNames));
}

/**
 * `readAddress` for an address that must be local.
 *
 * @throws not_built for a remote address
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
