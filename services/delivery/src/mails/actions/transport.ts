import type { Host } from '@hearth/runtime';
import type { AttemptError } from '../../shared/domain/outbound.ts';
import type { ComposedMail } from '../domain/mail.ts';
import { createCapture } from './capture.ts';

/** A mail with all its headers. */
export interface Message extends ComposedMail {
  from: string;
  date: Date;
  messageId: string;
}

/** Transport of mail: a mail server, or a folder. */
export interface Transport {
  /** Hands a mail over; returns why it was not accepted, or null. */
  send(message: Message, signal: AbortSignal): Promise<AttemptError | null>;
  /** Whether the limit of waiting mails is reached. */
  full(): boolean;
  /** The error message for a caller whose mail was not accepted. */
  refusal: string;
  close(): Promise<void>;
}

/** Creates a transport to SMTP_URL, or into the data folder if there is none. */
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
