import { unavailable } from '@hearth/errors';
import type { Logger } from '@hearth/telemetry';
import { createTransport } from 'nodemailer';
import { compose } from './compose.ts';
import type { Transport } from './mailer.ts';

/** Mails that wait for a connection or are being sent; what comes beyond is refused at once. */
const maxWaiting = 500;
const phaseMs = 10_000;

/**
 * A mail server. Credentials are never sent in the clear to another machine; everything else that SMTP_URL says in its
 * query is nodemailer's to read (`?requireTLS=true&tls.servername=...`).
 */
export function createSmtp(url: string, log: Logger): Transport {
  const { username, hostname, protocol } = new URL(url);
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const pool = createTransport({
    url,
    pool: true,
    maxConnections: 5,
    // A connection that the server closed while it was idle; more would risk sending a mail twice.
    maxRequeues: 1,
    idleTimeout: 30_000,
    connectionTimeout: phaseMs,
    greetingTimeout: phaseMs,
    dnsTimeout: phaseMs,
    socketTimeout: 2 * phaseMs,
    requireTLS: protocol === 'smtp:' && username !== '' && !here,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // The error of an idle connection reaches no caller.
  pool.on('error', (err) => log.warn({ err }, 'a connection to the mail server failed'));
  let waiting = 0;

  return {
    async send(mail, signal) {
      if (waiting >= maxWaiting)
        throw unavailable('too many mails wait for the mail server; try again later');
      waiting += 1;
      try {
        await pool.sendMail({ ...compose(mail), signal });
      } catch (error) {
        log.warn({ err: error, kind: mail.kind }, 'a mail was not taken by the mail server');
        throw unavailable('the mail server did not take the mail; try again later', error);
      } finally {
        waiting -= 1;
      }
    },
    close: async () => pool.close(),
  };
}
