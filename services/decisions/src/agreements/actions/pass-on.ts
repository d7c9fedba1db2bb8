import type { Change } from '../../shared/actions/note-hands.ts';
import type { Context } from '../context.ts';
import { findOfOthers } from '../db/agreements.ts';
import type { Side } from '../domain/agreement.ts';
import { change } from './change.ts';
import { findBoth } from './copied.ts';
import { endQuestion } from './errands.ts';

/**
 * Shows the newest owner of an AI all that it agreed before, and asks them about the open agreements that need owners; the owner
 * before sees no more of it, and is asked no more. It goes by what the agreements say, so that it can come again, and late.
 */
export async function passOn(context: Context, { ai, now }: Change): Promise<void> {
  const { database, ids } = context;
  const { at, person } = now;
  for (const row of await findBoth(context, await findOfOthers(database.db, ai, now))) {
    let before: Side | undefined;
    const { sides } = await change(context, row, (present) => {
      before = present.sides.find((one) => one.ai === ai);
      return { kind: 'pass on', ai, person, handsAt: at.getTime(), approval: ids.uuid() };
    });
    if (before !== undefined && sides.every(({ approval }) => approval !== before?.approval))
      await endQuestion(context, before);
  }
}
