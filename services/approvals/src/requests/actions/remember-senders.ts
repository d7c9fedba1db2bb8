import { nowDate } from '@hearth/clock';
import { rememberSender } from '../../contact-rules/module.ts';
import type { Context } from '../context.ts';
import type { WaitingItem } from './waiting-item.ts';

/** Lets the item's senders into the owner's inbox. */
export async function rememberSenders(
  { clock, database }: Pick<Context, 'clock' | 'database'>,
  { parts, senders }: Pick<WaitingItem, 'parts' | 'senders'>,
): Promise<void> {
  for (const sender of senders)
    await database.statement((tx) => rememberSender(tx, parts[0].owner, sender, nowDate(clock)));
}
