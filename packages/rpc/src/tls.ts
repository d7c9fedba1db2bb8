import { readFileSync } from 'node:fs';
import { checkServerIdentity, createSecureContext, type PeerCertificate } from 'node:tls';
import { type ChannelCredentials, credentials, experimental, ServerCredentials } from '@grpc/grpc-js';
import { minute } from '@hearth/clock';
import { HearthError } from '@hearth/errors';

/** Files (PEM) by which services prove to each other over TLS which they are. */
export interface TlsFiles {
  /** The certificate of this process: a SAN for each service that it runs, as `DNS:messages`. */
  cert: string;
  key: string;
  /** The authorities whose certificates are taken, of this home's services alone. */
  ca: string;
  /** Milliseconds between two looks at the files (default a minute). */
  everyMs?: number;
}

export interface Tls {
  server: ServerCredentials;
  channel: ChannelCredentials;
}

/**
 * Certificates for both directions, read anew from time to time; a connection that stands keeps its own.
 *
 * @throws bad_request in words for an operator when the files are not what they must be
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
