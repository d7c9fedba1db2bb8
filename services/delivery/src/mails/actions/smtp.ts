import type { Logger } from '@hearth/telemetry';
import { createTransport } from 'nodemailer';
import type { AttemptError } from '../../shared/domain/outbound.ts';
import { optionsOf } from './message.ts';
import type { Transport } from './transport.ts';

/** The most mails in flight or waiting for a connection; others are left for later. */
const maxWaiting = 500;
const phaseMs = 10_000;

/**
 * Sends through a mail server. Credentials never go to another machine unencrypted; nodemailer reads the
 * other options from the query of SMTP_URL (`?requireTLS=true&tls.servername=...`).
 */
export function createSmtp(url: string, log: Logger): Transport {
  const { username, hostname, protocol } = new URL(url);
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const pool = createTransport({
    url,
    pool: true,
    maxConnections: 5,
    // For an idle connection that the server closed; more could send a mail twice.
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
    async send(message, signal) {
      waiting += 1;
      try {
        await pool.sendMail({ ...optionsOf(message), signal });
        return null;
      } catch (err) {
        log.warn({ err, kind: message.kind }, 'a mail was not taken by the mail server');
        return errors[(err as { code?: string }).code ?? ''] ?? 'mail_refused';
      } finally {
        waiting -= 1;
      }
    },
    full: () => waiting >= maxWaiting,
    refusal: 'the mail server did not take the mail; try again later',
    close: async () => pool.close(),
  };
}

/** nodemailer's error codes; any other error is an answer of the server. */
const errors: Readonly<Record<string, AttemptError>> = {
  ECONNECTION: 'connection_refused',
  EDNS: 'connection_refused',
  ESOCKET: 'connection_refused',
  ETIMEDOUT: 'timeout',
  EABORT: 'timeout',
  ETLS: 'tls_error',
  EREQUIRETLS: 'tls_error',
};
