import type { Clock } from '@hearth/clock';
import type { HomeConfig } from '@hearth/config';
import type { Ids } from '@hearth/ids';
import type { Logger } from '@hearth/telemetry';
import { senderOf } from '../domain/mail.ts';
import { createCapture } from './capture.ts';
import { createSmtp } from './smtp.ts';

/** A mail with all that its headers say. */
export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  date: Date;
  messageId: string;
  kind: string;
}

/** A way out for mail: a server, or a folder. */
export interface Transport {
  /** Resolves when the mail was taken; throws `unavailable`. */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export type Mailer = {
  /** @param mail `id`: a uuid by which the mail, sent again after a crash, is known for the same */
  send(mail: Omit<Mail, 'from' | 'date' | 'messageId'> & { id?: string }, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

interface MailerOptions {
  config: Pick<HomeConfig, 'smtpUrl' | 'home' | 'dataFolder'>;
  clock: Clock;
  ids: Ids;
  log: Logger;
}

/** The home's mail: over SMTP_URL, or into files of the data folder when there is none. */
export function createMailer({ config, clock, ids, log }: MailerOptions): Mailer {
  const transport =
    config.smtpUrl === undefined
      ? createCapture(config.dataFolder, log)
      : createSmtp(config.smtpUrl.reveal(), log);
  const from = senderOf(config.home);
  return {
    send({ id = ids.uuid(), ...mail }, signal) {
      const messageId = `<${id}@${from.slice('hearth@'.length)}>`;
      return transport.send({ ...mail, from, date: new Date(clock.now()), messageId }, signal);
    },
    close: () => transport.close(),
  };
}
