import { homeA, homeB, kept, talkAcross } from '../support.ts';

/** The two homes know each other as homes of the world do: by https at their names, without any allowance. */
export async function federation(): Promise<void> {
  kept('federation', { milliseconds: await talkAcross(homeA, homeB) });
}
