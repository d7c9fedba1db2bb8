import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findAis } from './find-ais.ts';

/** The person or AI (uuid) behind a destination, and the owner of the AI; empty where there is none. */
export async function concernedBy(context: Pick<Context, 'ais'>, ai: string, call: Call) {
  const facts = (await findAis(context, [ai], call)).get(ai);
  return { ai, owner: facts?.owner ?? '' };
}
