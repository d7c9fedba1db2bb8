import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findAis } from './find-ais.ts';

/** Returns the asker (uuid of a person or AI), and the AI's owner; the owner is empty if there is none. */
export async function concernedBy(context: Pick<Context, 'ais'>, ai: string, call: Call) {
  const facts = (await findAis(context, [ai], call)).get(ai);
  return { ai, owner: facts?.owner ?? '' };
}
