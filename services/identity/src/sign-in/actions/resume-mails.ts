import { second } from '@hearth/clock';
import { anonymous } from '@hearth/rpc';
import type { Context } from '../context.ts';

const timeoutMs = 2 * second;

/** Whoever signs in with an address hears of what waits for them again, where they had stopped the home's mails. */
export async function resumeMails(
  { log, mails }: Pick<Context, 'log' | 'mails'>,
  email: string | null,
): Promise<void> {
  if (email === null) return;
  try {
    await mails.resumeMails({ email }, { caller: anonymous, timeoutMs });
  } catch (err) {
    log.warn({ err }, 'mails to an address that signed in may be stopped still');
  }
}
