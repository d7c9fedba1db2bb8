import { badField, HearthError } from '@hearth/errors';
import { type AddressOptions, parseAddress, printAddress } from './address.ts';

/** The names by which a home tells its own addresses from those of others. */
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

const longest = 400;

/** An address as people paste it: with white space around, in letters of full width, and a home's name in its own script. */
function plain(text: string): string {
  if (text.length > longest) return text;
  const written = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim();
  const at = written.lastIndexOf('@');
  const home = written.slice(at + 1);
  if (at < 1 || /^[\x21-\x7e]*$/.test(home) || /[/?#:\\%]/.test(home)) return written;
  return `${written.slice(0, at + 1)}${URL.parse(`http://${home}`)?.hostname ?? home}`;
}

function read(text: string, field: string, homeNames: HomeNames) {
  const address = parseAddress(text, homeNames) ?? parseAddress(plain(text), homeNames);
  if (address === null)
    throw badField(field, 'must be like @handle, @handle.ai-name, &handle, &handle.ai-group or handle@home');
  return address;
}
