import type { Mailer, MailRequest } from '../../shared/domain/mail.ts';
import type { Context } from '../context.ts';
import { readMail, senderOf } from '../domain/mail.ts';
import { createCapture } from './capture.ts';
import { createSmtp } from './smtp.ts';

/** A mail with all that its headers say. */
export interface Mail extends MailRequest {
  from: string;
  date: Date;
  messageId: string;
}

/** A way out for mail: a server, or a folder. */
export interface Transport {
  /** Resolves when the mail was taken; throws `unavailable`. */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The home's mail: over SMTP_URL, or into files of the data folder when there is none. */
export function createMailer({
  config,
  clock,
  ids,
  log,
}: Pick<Context, 'clock' | 'config' | 'ids' | 'log'>): Mailer & { close(): Promise<void> } {
  const transport =
    config.smtpUrl === undefined
      ? createCapture(config.dataFolder, log)
      : createSmtp(config.smtpUrl.reveal(), log);
  const from = senderOf(config.home);
  return {
    async send({ id = ids.uuid(), ...request }, signal) {
      const mail = readMail(request);
      const messageId = `<${id}@${from.slice('hearth@'.length)}>`;
      await transport.send({ ...mail, from, date: new Date(clock.now()), messageId }, signal);
    },
    close: () => transport.close(),
  };
}
