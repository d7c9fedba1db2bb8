import { aiNameToSlug } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { leadsOut, readShownName } from './person-name.ts';

/** Names by which an AI would pass for the home itself or for everybody. */
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
 * The name that an AI chose for itself, cleaned.
 *
 * @throws bad_request saying what to do when it is empty, too long, reserved, or holds an address or a link
 */
export function readName(given: string, maxLength: number): string {
  const name = readShownName(given, maxLength);
  if (isReserved(name)) {
    throw badField('name', `"${name}" is reserved, since it reads as the home itself; choose another`);
  }
  return name;
}

function isReserved(name: string): boolean {
  const slug = aiNameToSlug(name);
  return reservedSlugs.has(slug) || ofTheHome.test(slug);
}

/** Whether a name that another home gave would pass for this home itself, or leads out of it. */
export function isMisleading(name: string): boolean {
  return leadsOut(name) || isReserved(name);
}
