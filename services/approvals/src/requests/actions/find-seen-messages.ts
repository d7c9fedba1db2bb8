import { type Call, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** A message as the caller sees it, and as their person does. @param id as it was given */
export async function findSeenMessages({ messages }: Pick<Context, 'messages'>, id: string, call: Call) {
  const { caller } = call;
  const viewers = [...new Set([caller.id, personOf(caller) ?? caller.id])];
  return await Promise.all(viewers.map((viewer) => messages.findSeenMessage({ viewer, id }, { call })));
}
