import { type Session, SignInService } from '@hearth/proto/identity/v1/sign_in';
import { type Carried, localPath, paths } from '@hearth/web';
import type { Context, PageRequest } from '../pages/module.ts';

/** Where to go on to, when it is a path of this home. */
export function nextOf(fields: URLSearchParams): string | undefined {
  return localPath(fields.get('next') ?? undefined);
}

/** Goes with every form, so that the way on is not forgotten. */
export function carry(next: string | undefined, more: Carried = {}): Carried {
  return { ...more, ...(next !== undefined && { next }) };
}

/** Where a person who signed in goes on to by default: what waits for them. */
export const home = paths.requests;

/**
 * The headers that begin a session. The one of before ends unless it goes on under the new token; a guest's goes on, for
 * guests have no other way back into their account.
 */
export async function begin(
  { ask, sessions }: Context,
  { visit: { person } }: PageRequest,
  { token, endsAt, renewed, deviceToken }: Session,
): Promise<string[]> {
  if (person !== null && !person.guest && !renewed) await ask(SignInService.method.signOut, {}, person);
  const begun = sessions.begin(token, Number(endsAt));
  return deviceToken === '' ? begun : [...begun, ...sessions.remember(deviceToken)];
}
