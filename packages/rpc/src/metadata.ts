import { Metadata } from '@grpc/grpc-js';
import type { IncomingCall } from './call.ts';
import { decodeCaller, encodeCaller } from './caller.ts';
import type { Outgoing } from './channel.ts';
import { digestOf, type PairKeys, type ProvenCall, prove, readProof } from './proof.ts';

const callerKey = 'hearth-caller-bin';
const serviceKey = 'hearth-service';
const peerKey = 'hearth-peer';
const proofKey = 'hearth-proof-bin';
const traceKey = 'traceparent';

/** How old a call may be, and how far its sender's clock may be ahead. */
const maxSkewMs = 60_000;

const nothing = new Uint8Array();

export interface Sending {
  keys: PairKeys;
  peer: string;
  path: string;
  /** Absent for streams. */
  request?: Uint8Array;
  now: number;
}

/** A request's principal, and the proof that a service of this home sent this request for it. */
export function proofOf(
  { service, deadline, caller }: Outgoing,
  { keys, peer, path, request = nothing, now }: Sending,
): Pick<Claim, 'principal' | 'proof'> {
  const principal = encodeCaller(caller);
  const call = { sent: now, deadline, digest: digestOf(request) };
  return { principal, proof: prove(keys(service, peer), path, principal, call) };
}

/** A request's gRPC metadata. */
export function toMetadata(outgoing: Outgoing, sending: Sending): Metadata {
  const { principal, proof } = proofOf(outgoing, sending);
  const metadata = new Metadata();
  metadata.set(callerKey, principal);
  metadata.set(serviceKey, outgoing.service);
  metadata.set(peerKey, sending.peer);
  metadata.set(proofKey, proof);
  if (outgoing.traceparent !== undefined) metadata.set(traceKey, outgoing.traceparent);
  return metadata;
}

/** A call's context as received, before its proof was checked. */
export interface Claim {
  service: string;
  peer: string;
  principal: Buffer;
  proof: Buffer;
  traceparent: string | undefined;
}

/** A call with a valid proof whose request has not been read yet. */
export interface Arrival extends ProvenCall, Omit<Claim, 'proof'> {}

/** Refusals of calls, worded for operators: a bare status, which says nothing about the principal's credential. */
export const refusals = {
  stranger: 'HEARTH_PEER_SECRET must be the same for all services of the home',
  late: 'the clocks of the two machines differ by more than a minute, or the call was sent before',
  certificate: 'the certificate of the caller must name its service',
} as const;

/** Whether the caller wants to be told if its proof is refused. */
export const hasProof = (metadata: Metadata): boolean => metadata.get(proofKey).length > 0;

export interface Receiving {
  keys: PairKeys;
  /** The services that may call this process (any if absent), and the services that it runs. */
  callers?: ReadonlySet<string>;
  peers: ReadonlySet<string>;
  path: string;
  now: number;
}

export function readMetadata(metadata: Metadata, receiving: Receiving): Arrival | keyof typeof refusals {
  return readClaim(
    {
      service: text(metadata, serviceKey),
      peer: text(metadata, peerKey),
      principal: bytes(metadata, callerKey),
      proof: bytes(metadata, proofKey),
      traceparent: text(metadata, traceKey) || undefined,
    },
    receiving,
  );
}

export function readClaim(
  { proof, ...claimed }: Claim,
  { keys, callers, peers, path, now }: Receiving,
): Arrival | keyof typeof refusals {
  const { service, peer, principal } = claimed;
  if (callers?.has(service) === false || !peers.has(peer)) return 'stranger';
  const call = readProof(keys(service, peer), path, principal, proof);
  if (call === null) return 'stranger';
  const age = Math.abs(now - call.sent);
  if (Number.isNaN(age) || age > maxSkewMs) return 'late';
  return { ...claimed, ...call };
}

/** @param until the deadline that gRPC itself sets, by this process's clock */
export function toIncoming(arrival: Arrival, until: number, now: number): IncomingCall {
  const { service, principal, sent, deadline, traceparent } = arrival;
  return {
    caller: decodeCaller(principal),
    service,
    deadline: Math.min(until, now + deadline - sent),
    traceparent,
  };
}

function text(metadata: Metadata, key: string): string {
  const value = metadata.get(key)[0];
  return typeof value === 'string' ? value : '';
}

function bytes(metadata: Metadata, key: string): Buffer {
  const value = metadata.get(key)[0];
  return value instanceof Buffer ? value : Buffer.alloc(0);
}
