import type { Logger } from '@hearth/telemetry';
import { createTransport } from 'nodemailer';
import type { AttemptError } from '../../shared/domain/outbound.ts';
import { optionsOf } from './message.ts';
import type { Transport } from './transport.ts';

/** Mails that wait for a connection or are being sent; with so many the others are left for later. */
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

/** As nodemailer names them; all others are an answer of the server. */
const errors: Readonly<Record<string, AttemptError>> = {
  ECONNECTION: 'connection_refused',
  EDNS: 'connection_refused',
  ESOCKET: 'connection_refused',
  ETIMEDOUT: 'timeout',
  EABORT: 'timeout',
  ETLS: 'tls_error',
  EREQUIRETLS: 'tls_error',
};
