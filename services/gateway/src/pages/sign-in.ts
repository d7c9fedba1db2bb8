import { minute } from '@hearth/clock';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { paths } from '@hearth/web';
import type { PageAnswer } from './page.ts';

const freshMs = 10 * minute;

/** Whether a person signed in so lately that no one else can sit in front of their browser. */
export function signedInLately({ authenticatedAt }: Pick<Caller, 'authenticatedAt'>, now: number): boolean {
  return authenticatedAt > 0n && now - Number(authenticatedAt) <= freshMs;
}

/** Where a person goes first who did not sign in lately, and comes from to `next`; undefined after a fresh sign-in. */
export function freshSignIn(
  { clock }: Pick<Host, 'clock'>,
  person: Caller,
  next: string,
): string | undefined {
  // A guest has no sign-in that could be repeated.
  if (person.guest) return paths.addSignIn;
  return signedInLately(person, clock.now()) ? undefined : signInAfresh(next);
}

/** Where one signs in; `next` is where they go on to. */
export function signInPath(next: string): string {
  return `${paths.signIn}?${new URLSearchParams({ next })}`;
}

/** Shows a page once the person has signed in; `next` is where they were. */
export function signInFirst(next: string): PageAnswer {
  return { goTo: signInPath(next) };
}

/** Where one signs in once more, and comes from to `next`. */
export function signInAfresh(next: string): string {
  return `${paths.signIn}?${new URLSearchParams({ fresh: '1', next })}`;
}
