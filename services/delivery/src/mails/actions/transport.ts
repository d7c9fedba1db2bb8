import type { AttemptError } from '../../shared/domain/outbound.ts';
import type { Context } from '../context.ts';
import type { Mail } from '../domain/mail.ts';
import { createCapture } from './capture.ts';
import { createSmtp } from './smtp.ts';

/** A mail with all that its headers say. */
export interface Message extends Mail {
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
export function createTransport({ config, log }: Pick<Context, 'config' | 'log'>): Transport {
  return config.smtpUrl === undefined
    ? createCapture(config.dataFolder, log)
    : createSmtp(config.smtpUrl.reveal(), log);
}
