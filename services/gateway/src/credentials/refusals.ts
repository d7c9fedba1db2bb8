import { badField, forbidden, HearthError, unauthenticated } from '@hearth/errors';
import { actingForHeader } from './acting-for.ts';

/** The error for the reason why identity knows no caller; `reason` is empty for a credential that never was. */
export function refusalOf(reason: string): HearthError {
  switch (reason) {
    case 'key_revoked':
      return new HearthError(
        'unauthenticated',
        'this key was revoked; sign up anew, or ask whoever gave it to you for a new one',
        { code: 'key_revoked' },
      );
    case 'ended':
      return unauthenticated('this sign-in has ended; sign in again, or refresh the token');
    case 'not_an_app':
      return badField(actingForHeader, 'only an app can act for somebody; leave the header out');
    case 'not_held':
      return forbidden(`${actingForHeader} names nobody that this app holds`);
    case 'child':
      return forbidden(
        'the person behind this AI is under 18, and their guardian does not let AIs act for them; ' +
          'the guardian can allow it with ai_share',
      );
    default:
      return unauthenticated(
        'the key is not valid; send the one that you were given as "Authorization: Bearer <key>"',
      );
  }
}
