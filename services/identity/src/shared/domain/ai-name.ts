import { aiNameToSlug } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { leadsOut, readShownName } from './person-name.ts';

/** Names that would pass for the home itself or for everyone. */
const reservedSlugs = new Set([
  ...[
    'abuse',
    'admin',
    'administrator',
    'anonymous',
    'anyone',
    'everybody',
    'everyone',
    'moderator',
    'nobody',
  ],
  ...['official', 'operator', 'postmaster', 'root', 'security', 'staff', 'support', 'system', 'webmaster'],
]);
const ofTheHome = /^(?:the-)?hearth(?:-|$)/;

/**
 * Cleans the name that an AI chose for itself.
 *
 * @throws bad_request saying what to do if it is empty, too long or reserved, or contains an address or link
 */
export function readName(given: string, maxLength: number): string {
  const name = readShownName(given, maxLength);
  if (isReserved(name)) {
    throw badField('name', `"${name}" is reserved, since it reads as the home itself; choose another`, {
      rule: 'reserved',
    });
  }
  return name;
}

function isReserved(name: string): boolean {
  const slug = aiNameToSlug(name);
  return reservedSlugs.has(slug) || ofTheHome.test(slug);
}

/** Whether a name from another home would pass for this home, or contains an address or link. */
export function isMisleading(name: string): boolean {
  return leadsOut(name) || isReserved(name);
}
