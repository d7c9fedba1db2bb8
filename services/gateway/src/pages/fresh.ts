import { minute } from '@hearth/clock';
import type { Caller } from '@hearth/rpc';
import { paths } from '@hearth/web';

const freshMs = 10 * minute;

/** Whether somebody signed in so lately that nobody else can sit in front of their browser. */
export function signedInLately({ authenticatedAt }: Pick<Caller, 'authenticatedAt'>, now: number): boolean {
  return authenticatedAt > 0n && now - Number(authenticatedAt) <= freshMs;
}

/** Where one signs in once more, and comes from to `next`. */
export function signInAfresh(next: string): string {
  return `${paths.signIn}?${new URLSearchParams({ fresh: '1', next })}`;
}
