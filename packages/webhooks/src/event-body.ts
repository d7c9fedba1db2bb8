import { second } from '@hearth/clock';
import { signSvc, svcSignatureHeader } from './svc-signature.ts';

/** The body of an event: `data` as its message is written. */
export function eventBody(event: { id: string; type: string; at: Date; data: object }): string {
  const { id, type, at, data } = event;
  return JSON.stringify({ id, type, at: at.toISOString(), data });
}

/**
 * The headers of a body that goes to an app.
 *
 * @param secrets the app's signing secrets, the present one first
 * @param now milliseconds since 1970 at which it is sent
 */
export function svcHeaders(secrets: readonly string[], now: number, body: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    [svcSignatureHeader]: signSvc(secrets, Math.floor(now / second), body),
  };
}
