import { timingSafeEqual } from 'node:crypto';
import { Metadata } from '@grpc/grpc-js';
import type { IncomingCall } from './call.ts';
import { decodeCaller, encodeCaller } from './caller.ts';
import type { Outgoing } from './channel.ts';

const callerKey = 'hearth-caller-bin';
const serviceKey = 'hearth-service';
const secretKey = 'hearth-peer-secret';
const traceKey = 'traceparent';

/** The gRPC metadata of a request. `secret` proves that the caller is a service of this home. */
export function toMetadata(outgoing: Outgoing, secret: string): Metadata {
  const metadata = new Metadata();
  metadata.set(callerKey, encodeCaller(outgoing.caller));
  metadata.set(serviceKey, outgoing.service);
  metadata.set(secretKey, secret);
  if (outgoing.traceparent !== undefined) metadata.set(traceKey, outgoing.traceparent);
  return metadata;
}

/** Null when the secret is not this home's: whoever calls is no service of it. */
export function fromMetadata(metadata: Metadata, secret: string, deadline: number): IncomingCall | null {
  const given = Buffer.from(text(metadata, secretKey));
  const expected = Buffer.from(secret);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const caller = metadata.get(callerKey)[0];
  return {
    caller: decodeCaller(caller instanceof Buffer ? caller : undefined),
    service: text(metadata, serviceKey),
    deadline,
    traceparent: text(metadata, traceKey) || undefined,
  };
}

function text(metadata: Metadata, key: string): string {
  const value = metadata.get(key)[0];
  return typeof value === 'string' ? value : '';
}
