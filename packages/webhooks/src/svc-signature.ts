import { createHmac } from 'node:crypto';

/** The header by which an app knows that a webhook is this home's, and that its body is whole. */
export const svcSignatureHeader = 'svc-signature';

/**
 * The value of Svc-Signature: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`, one v1 for each secret.
 *
 * @param secrets the app's signing secrets, the present one first, each used as the text that the app was shown
 * @param unixSeconds when it is sent: the receiver refuses what is old
 * @param body exactly as it is sent
 */
export function signSvc(secrets: readonly string[], unixSeconds: number, body: string): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')}`,
  );
  return [`t=${unixSeconds}`, ...signatures].join(',');
}
