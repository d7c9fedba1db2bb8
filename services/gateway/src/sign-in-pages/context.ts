import { isIP } from 'node:net';
import type { Clock } from '@hearth/clock';
import type { Session, SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { Client } from '@hearth/rpc';
import { type Carried, localPath, paths } from '@hearth/web';
import type { AddPeoplePage, PageRequest } from '../pages/module.ts';
import type { Sessions } from '../sessions/module.ts';

/** What the pages of sign-in are made with. */
export interface SignInPages {
  addPage: AddPeoplePage;
  signIn: Client<typeof SignInService>;
  sessions: Pick<Sessions, 'begin' | 'forget'>;
  clock: Clock;
  /** Browsers make no passkeys for an IP address. */
  passkeys: boolean;
}

export function takesPasskeys(siteUrl: string): boolean {
  const { hostname } = new URL(siteUrl);
  return isIP(hostname) === 0 && !hostname.startsWith('[');
}

/** Where to go on to, when it is a path of this home. */
export function nextOf(fields: URLSearchParams): string | undefined {
  return localPath(fields.get('next') ?? undefined);
}

/** Goes with every form, so that the way on is not forgotten. */
export function carry(next: string | undefined, more: Carried = {}): Carried {
  return { ...more, ...(next !== undefined && { next }) };
}

/** Where somebody who signed in goes on to, when nobody said where. */
export const home = paths.ais;

/**
 * The headers that begin a session. The one of before ends; a guest's goes on, for guests have no other way back into
 * their account.
 */
export async function begin(
  { signIn, sessions }: Pick<SignInPages, 'signIn' | 'sessions'>,
  { visit }: PageRequest,
  { token, endsAt }: Session,
): Promise<string[]> {
  const { person } = visit;
  if (person !== null && !person.guest) await signIn.signOut({}, { caller: person });
  return sessions.begin(token, Number(endsAt));
}
