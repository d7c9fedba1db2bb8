import { chmod, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '@hearth/db';
import type { Logger } from '@hearth/telemetry';
import { optionsOf } from './message.ts';
import type { Message, Transport } from './transport.ts';

/** The oldest are removed beyond that many, so that a home left without a mail server does not fill its disk. */
const maxFiles = 1_000;

/**
 * Mail of a home without a mail server: each is a file of `<data folder>/mail` that its owner alone can read, named by
 * time and message, and its text is logged.
 */
export function createCapture(dataFolder: string, log: Logger): Transport {
  const folder = join(dataFolder, 'mail');
  // Loaded for the first mail: many homes send none.
  const composer = async () =>
    (await import('nodemailer')).createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  async function store(mail: Message): Promise<string> {
    const { message } = await (await composer()).sendMail(optionsOf(mail));
    makeFolder(folder);
    await chmod(folder, 0o700);
    const time = mail.date.toISOString().replace(/[:.]/g, '-');
    const id = /[0-9a-f-]{36}/.exec(mail.messageId)?.[0];
    const path = join(folder, `${time}-${id}.eml`);
    // Written beside and renamed, so that a reader of the folder never sees half a mail.
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
