import { chmod, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '@hearth/db';
import type { Logger } from '@hearth/telemetry';
import { optionsOf } from './message.ts';
import type { Message, Transport } from './transport.ts';

/** Beyond this many files the oldest are removed, so that a home without a mail server does not fill its disk. */
const maxFiles = 1_000;

/**
 * Captures the mail of a home without a mail server: each mail is logged, and stored in `<data folder>/mail`
 * as a file named by time and message that only its owner can read.
 */
export function createCapture(dataFolder: string, log: Logger): Transport {
  const folder = join(dataFolder, 'mail');
  // Loaded on first use: many homes send no mail.
  const composer = async () =>
    (await import('nodemailer')).createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  async function store(mail: Message): Promise<string> {
    const { message } = await (await composer()).sendMail(optionsOf(mail));
    makeFolder(folder);
    await chmod(folder, 0o700);
    const time = mail.date.toISOString().replace(/[:.]/g, '-');
    const id = /[0-9a-f-]{36}/.exec(mail.messageId)?.[0];
    const path = join(folder, `${time}-${id}.eml`);
    // Written to a temporary name and renamed, so that readers of the folder never see half a mail.
    await writeFile(`${path}.new`, message as Buffer, { mode: 0o600 });
    await rename(`${path}.new`, path);
    return path;
  }

  async function removeOldest(): Promise<void> {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.eml')).sort();
    const excess = files.slice(0, Math.max(0, files.length - maxFiles));
    await Promise.all(excess.map((file) => rm(join(folder, file), { force: true })));
  }

  return {
    async send(mail) {
      try {
        const file = await store(mail);
        const { to, subject, text, kind } = mail;
        log.info({ to, subject, text, kind, file }, 'no mail server is set: this mail was written to a file');
        await removeOldest();
        return null;
      } catch (err) {
        log.warn({ err, kind: mail.kind }, 'a mail could not be written to the data folder');
        return 'mail_refused';
      }
    },
    full: () => false,
    refusal: 'the mail could not be written to the data folder',
    close: async () => {},
  };
}
