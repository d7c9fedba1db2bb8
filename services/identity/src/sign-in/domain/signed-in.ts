import { minute } from '@hearth/clock';
import { forbidden, unauthenticated } from '@hearth/errors';
import { type Caller, callerKinds } from '@hearth/rpc';
import { freshMinutes } from './sign-in-rules.ts';

/** uuid of the person whose session this is. */
export function signedIn({ kind, id, session }: Caller): string {
  if (kind !== callerKinds.PERSON || session === '') throw unauthenticated('sign in first');
  return id;
}

/** The same for what somebody who finds an open browser must not do. @throws forbidden (needs_person) when it was long ago */
export function freshlySignedIn(caller: Caller, now: number): string {
  const person = signedIn(caller);
  if (now - Number(caller.authenticatedAt) <= freshMinutes * minute) return person;
  throw forbidden('sign in once more first: this changes how you sign in', {
    code: 'needs_person',
    needsPerson: true,
  });
}
