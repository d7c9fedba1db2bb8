import { createHmac } from 'node:crypto';
import { sameText } from './standard-signature.ts';

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

/** The most seconds by which the moment of sending differs from the receiver's clock. */
export const mostSecondsOff = 300;

/**
 * The reason why an event is not the home's, or null when it is.
 *
 * @param header the value of Svc-Signature
 * @param body exactly as it came
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
