import { homeA, homeB, kept, talkAcross } from '../support.ts';

/** The two homes know each other as homes on the internet do: by https and their names, without any allowance. */
export async function federation(): Promise<void> {
  kept('federation', { milliseconds: await talkAcross(homeA, homeB) });
}
