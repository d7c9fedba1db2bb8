import { minute } from '@hearth/clock';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { paths } from '@hearth/web';
import type { PageAnswer } from './page.ts';

const freshMs = 10 * minute;

/** Whether the sign-in is recent enough to exclude another person at the browser. */
export function signedInLately({ authenticatedAt }: Pick<Caller, 'authenticatedAt'>, now: number): boolean {
  return authenticatedAt > 0n && now - Number(authenticatedAt) <= freshMs;
}

/** The sign-in page that leads on to `next`; undefined after a fresh sign-in. */
export function freshSignIn(
  { clock }: Pick<Host, 'clock'>,
  person: Caller,
  next: string,
): string | undefined {
  // Guests have no sign-in to repeat.
  if (person.guest) return paths.addSignIn;
  return signedInLately(person, clock.now()) ? undefined : signInAfresh(next);
}

/** The path of the sign-in page, which leads on to `next`. */
export function signInPath(next: string): string {
  return `${paths.signIn}?${new URLSearchParams({ next })}`;
}

/** Asks for a sign-in before the page `next`. */
export function signInFirst(next: string): PageAnswer {
  return { goTo: signInPath(next) };
}

/** The path of the page for a fresh sign-in, which leads on to `next`. */
export function signInAfresh(next: string): string {
  return `${paths.signIn}?${new URLSearchParams({ fresh: '1', next })}`;
}
