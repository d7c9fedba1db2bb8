import { second } from '@hearth/clock';
import { signSvc, svcSignatureHeader } from './svc-signature.ts';

/** The body of an event; `data` is in the form of its message. */
export function eventBody(event: { id: string; type: string; at: Date; data: object }): string {
  const { id, type, at, data } = event;
  return JSON.stringify({ id, type, at: at.toISOString(), data });
}

/**
 * Headers for a body sent to an app.
 *
 * @param secrets the app's signing secrets, current one first
 * @param now the time of sending in milliseconds since 1970
 */
export function svcHeaders(secrets: readonly string[], now: number, body: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    [svcSignatureHeader]: signSvc(secrets, Math.floor(now / second), body),
  };
}
