import { second } from '@hearth/clock';
import { anonymous } from '@hearth/rpc';
import type { Context } from '../context.ts';

const timeoutMs = 2 * second;

/** Resumes the home's mails to an address that unsubscribed, now that its person signed in. */
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
