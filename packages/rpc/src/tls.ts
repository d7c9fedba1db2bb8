import { readFileSync } from 'node:fs';
import { checkServerIdentity, createSecureContext, type PeerCertificate } from 'node:tls';
import { type ChannelCredentials, credentials, experimental, ServerCredentials } from '@grpc/grpc-js';
import { minute } from '@hearth/clock';
import { HearthError } from '@hearth/errors';

/** PEM files by which services authenticate each other over TLS. */
export interface TlsFiles {
  /** This process's certificate: a SAN for each service that it runs, as `DNS:messages`. */
  cert: string;
  key: string;
  /** The accepted authorities, which sign only this home's services. */
  ca: string;
  /** Milliseconds between checks of the files (default a minute). */
  everyMs?: number;
}

export interface Tls {
  server: ServerCredentials;
  channel: ChannelCredentials;
}

/**
 * Certificates for both directions, reloaded from time to time; open connections keep theirs.
 *
 * @throws bad_request, worded for operators, if the files are invalid
 */
export function openTls(files: TlsFiles | undefined): Tls {
  if (files === undefined)
    return { server: ServerCredentials.createInsecure(), channel: credentials.createInsecure() };
  checkFiles(files);
  const provider = new experimental.FileWatcherCertificateProvider({
    certificateFile: files.cert,
    privateKeyFile: files.key,
    caCertificateFile: files.ca,
    refreshIntervalMs: files.everyMs ?? minute,
  });
  return {
    server: experimental.createCertificateProviderServerCredentials(provider, provider, true),
    channel: experimental.createCertificateProviderChannelCredentials(provider, provider),
  };
}

export function namesService(certificate: PeerCertificate | undefined, service: string): boolean {
  return certificate !== undefined && checkServerIdentity(service, certificate) === undefined;
}

function checkFiles({ cert, key, ca }: TlsFiles): void {
  try {
    createSecureContext({ cert: readFileSync(cert), key: readFileSync(key), ca: readFileSync(ca) });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HearthError(
      'bad_request',
      `HEARTH_TLS_CERT, HEARTH_TLS_KEY and HEARTH_TLS_CA must name a certificate, its key and its authorities, as PEM: ${reason}`,
      { cause },
    );
  }
}
