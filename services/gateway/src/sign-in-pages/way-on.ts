import { type Session, SignInService } from '@hearth/proto/identity/v1/sign_in';
import { type Carried, localPath, paths } from '@hearth/web';
import type { Context, PageRequest } from '../pages/module.ts';

/** The page to go to next, if it is a path of this home. */
export function nextOf(fields: URLSearchParams): string | undefined {
  return localPath(fields.get('next') ?? undefined);
}

/** Carries the next page through a form. */
export function carry(next: string | undefined, more: Carried = {}): Carried {
  return { ...more, ...(next !== undefined && { next }) };
}

/** The page after a sign-in, unless another was asked for. */
export const home = paths.requests;

/**
 * Begins a session, and ends the previous one unless it was renewed. A guest's session goes on: guests have no other
 * way back into their account. Returns the response headers.
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
