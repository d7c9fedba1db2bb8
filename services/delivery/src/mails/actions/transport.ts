import type { Host } from '@hearth/runtime';
import type { AttemptError } from '../../shared/domain/outbound.ts';
import type { ComposedMail } from '../domain/mail.ts';
import { createCapture } from './capture.ts';

/** A mail with all that its headers say. */
export interface Message extends ComposedMail {
  from: string;
  date: Date;
  messageId: string;
}

/** A way out for mail: a server, or a folder. */
export interface Transport {
  /** Hands a mail over; why it was not taken, or null. */
  send(message: Message, signal: AbortSignal): Promise<AttemptError | null>;
  /** As many wait as may. */
  full(): boolean;
  /** The words for a caller whose mail was not taken. */
  refusal: string;
  close(): Promise<void>;
}

/** Over SMTP_URL, or into files of the data folder when there is none. */
export async function createTransport({
  config,
  log,
  own,
}: Pick<Host, 'config' | 'log' | 'own'>): Promise<Transport> {
  const smtpUrl = own('smtpUrl');
  if (smtpUrl === undefined) return createCapture(config.dataFolder, log);
  const { createSmtp } = await import('./smtp.ts');
  return createSmtp(smtpUrl.reveal(), log);
}
