import { createHmac } from 'node:crypto';
import { sameText } from './standard-signature.ts';

/** The header by which an app verifies that a webhook comes from this home, with an intact body. */
export const svcSignatureHeader = 'svc-signature';

/**
 * The value of Svc-Signature: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`, one v1 for each
 * secret.
 *
 * @param secrets the app's signing secrets, current one first, each as the text shown to the app
 * @param unixSeconds the time of sending: receivers refuse old ones
 * @param body exactly as sent
 */
export function signSvc(secrets: readonly string[], unixSeconds: number, body: string): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')}`,
  );
  return [`t=${unixSeconds}`, ...signatures].join(',');
}

/** The most seconds between the time of sending and the receiver's clock. */
export const mostSecondsOff = 300;

/**
 * Why an event is not authentic; null if it is.
 *
 * @param header the value of Svc-Signature
 * @param body exactly as received
 * @param by the app's secret, and the receiver's clock in seconds since 1970
 */
export function svcProblem(
  header: string,
  body: string,
  { secret, unixSeconds }: { secret: string; unixSeconds: number },
): string | null {
  const [moment = '', ...signatures] = header.split(',');
  const at = /^t=(\d{1,15})$/.exec(moment)?.[1];
  if (at === undefined) return 'the header names no moment';
  if (Math.abs(unixSeconds - Number(at)) > mostSecondsOff) return 'it was sent more than five minutes off';
  const own = signSvc([secret], Number(at), body).split(',')[1] ?? '';
  return signatures.some((given) => sameText(given, own)) ? null : 'no signature fits';
}
