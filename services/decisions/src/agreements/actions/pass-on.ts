import type { Change } from '../../shared/actions/note-hands.ts';
import type { Context } from '../context.ts';
import { findCopiesOf, findOfOthers } from '../db/agreements.ts';
import type { Side } from '../domain/agreement.ts';
import { changeCopy } from './change-copy.ts';
import { copied } from './copied.ts';
import { doErrands, endQuestion } from './errands.ts';

/**
 * Shows the newest owner of an AI all that it agreed before, and asks them about the open agreements that need owners; the owner
 * before sees no more of it, and is asked no more. It goes by what the agreements say, so that it can come again, and late.
 */
export async function passOn(context: Context, { ai, now }: Change): Promise<void> {
  const { agreements, database, ids, signing } = context;
  for (const id of await findOfOthers(database.db, ai, now)) {
    let before: Side | undefined;
    const { state } = await agreements.act(id, ({ sides }) => {
      before = sides.find((one) => one.ai === ai);
      return {
        act: { kind: 'pass on', ai, person: now.person, handsAt: now.at.getTime(), approval: ids.uuid() },
      };
    });
    if (before !== undefined && state.sides.every(({ approval }) => approval !== before?.approval))
      await endQuestion(context, before);
    await signing.now(await doErrands(context, state));
  }
  for (const id of await findCopiesOf(database.db, [ai], now.at)) await passCopyOn(context, id, ai, now);
}

async function passCopyOn(context: Context, id: string, ai: string, { at, person }: Change['now']) {
  const { copies, ids } = context;
  const [copy] = await copies.byIds([id]);
  const before = copy === undefined ? undefined : copied(copy).sides.find((one) => one.ai === ai);
  const act = { kind: 'pass on', ai, person, handsAt: at.getTime(), approval: ids.uuid() } as const;
  const after = await changeCopy(context, id, act);
  if (before && after?.sides.every((one) => one.approval !== before.approval))
    await endQuestion(context, before);
}
