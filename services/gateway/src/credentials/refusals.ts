import { badField, forbidden, HearthError, unauthenticated } from '@hearth/errors';
import type { ResolveCredentialResponse } from '@hearth/proto/identity/v1/identity';
import { actingForHeader } from './acting-for.ts';

/** Identity's reason for refusing a credential. */
type Suspension = Pick<ResolveCredentialResponse, 'reason' | 'suspended' | 'suspendedUntil'>;

const none: Suspension = { reason: '', suspended: 'AI', suspendedUntil: 0n };

/** The error for identity's reason; `reason` is empty for an unknown credential. */
export function refusalOf(reason: string, suspension: Suspension = none): HearthError {
  switch (reason) {
    case 'key_revoked':
      return new HearthError(
        'unauthenticated',
        'this key was revoked; sign up anew, or ask whoever gave it to you for a new one',
        { code: 'key_revoked' },
      );
    case 'suspended':
      return suspended(suspension);
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
    case 'no_guardian':
      return forbidden(
        'this child has no guardian just now: no one can act for them until the app that holds them names one with set_guardian',
        { code: 'guardian_needed' },
      );
    default:
      return unauthenticated(
        'the key is not valid; send the one that you were given as "Authorization: Bearer <key>"',
      );
  }
}

function suspended({ reason, suspended: of, suspendedUntil }: Suspension): HearthError {
  const until = new Date(Number(suspendedUntil));
  return forbidden(
    `the operator of this home suspended this ${of || 'AI'} until ${until.toISOString()}: ${reason}`,
    {
      code: 'suspended',
      resetsAt: until,
      reason,
    },
  );
}
