import { type Call, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** The message as the caller sees it, and as their person sees it. @param id as the caller gave it */
export async function findSeenMessages({ messages }: Pick<Context, 'messages'>, id: string, call: Call) {
  const { caller } = call;
  const viewers = [...new Set([caller.id, personOf(caller) ?? caller.id])];
  return await Promise.all(viewers.map((viewer) => messages.findSeenMessage({ viewer, id }, { call })));
}
