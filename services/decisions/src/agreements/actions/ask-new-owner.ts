import type { Context } from '../context.ts';
import { findOpenOf } from '../db/agreements.ts';
import type { Side } from '../domain/agreement.ts';
import { doErrands, endQuestion } from './errands.ts';

/**
 * Asks the owner whom an AI (uuid) has by now about the open agreements that need owners, and one of before no more. It goes by
 * what the agreements say, so that it can come again, and late.
 */
export async function askNewOwner(context: Context, ai: string): Promise<void> {
  const { agreements, database, ids, signing } = context;
  for (const id of await findOpenOf(database.db, [ai])) {
    let before: Side | undefined;
    const { state } = await agreements.act(id, ({ sides }) => {
      before = sides.find((one) => one.ai === ai);
      return { act: { kind: 'passed on', ai, approval: ids.uuid() } };
    });
    if (before !== undefined && state.sides.every(({ approval }) => approval !== before?.approval))
      await endQuestion(context, before);
    await signing.now(await doErrands(context, state));
  }
}
