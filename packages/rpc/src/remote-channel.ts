import { type Message, toBinary } from '@bufbuild/protobuf';
import { Client, type MethodDefinition, type ServiceError, status } from '@grpc/grpc-js';
import { type Clock, minute } from '@hearth/clock';
import { asHearthError, unauthenticated, unavailable } from '@hearth/errors';
import { service as healthService } from 'grpc-health-check';
import { asBuffer } from './as-buffer.ts';
import { callsPath } from './batcher.ts';
import { createCallStreams } from './call-stream.ts';
import { anonymous } from './caller.ts';
import type { BidiStream, Channel } from './channel.ts';
import { decodeEach } from './decode-each.ts';
import { decodeError, errorKey, fromGrpcStatus } from './error-info.ts';
import { createFreshClient } from './fresh-client.ts';
import { proofOf, toMetadata } from './metadata.ts';
import { createPairKeys } from './proof.ts';
import { openTls, type TlsFiles } from './tls.ts';

export interface RemoteChannelOptions {
  /** "messages:9090" (all pods behind the name, round robin), or a comma-separated list of addresses. */
  address: string;
  /** This process, when asking whether the peer is ready. */
  service: string;
  /** The peer's name in errors, call proofs and the peer's certificate. */
  peer: string;
  /** HEARTH_PEER_SECRET */
  secret: string;
  /** Without them, calls are unencrypted. */
  tls?: TlsFiles | undefined;
  clock: Clock;
  /** Receives the reason why the peer refuses this process, worded for operators, at most once a minute. */
  onRefused?(words: string): void;
  /**
   * The age at which connections and streams are replaced, so that new pods behind a name are found (default 30
   * seconds).
   */
  freshMs?: number;
}

/** The health of a process including its database and bus; the empty name stands for the process alone. */
export const readyName = 'ready';
const health = healthService.Check as MethodDefinition<object, object>;
const asIs = (bytes: Buffer): Buffer => bytes;

/** The way to a service in another process, over gRPC. */
export function createRemoteChannel(options: RemoteChannelOptions): Channel {
  const { peer, service, clock, onRefused, freshMs = 30_000 } = options;
  const keys = createPairKeys(options.secret);
  const { channel: credentials } = openTls(options.tls);
  const open = () =>
    new Client(toTarget(options.address), credentials, {
      ...(options.tls !== undefined && { 'grpc.ssl_target_name_override': peer }),
      'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
      // Separate connections, so that a new client also connects with new certificates.
      'grpc.use_local_subchannel_pool': 1,
      'grpc.dns_min_time_between_resolutions_ms': 1_000,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2_000,
      // A machine that is gone says nothing: its connections end within 4.5 s.
      'grpc.keepalive_time_ms': 2_000,
      'grpc.keepalive_timeout_ms': 2_500,
      'grpc.max_receive_message_length': 32 * 1024 * 1024,
      'grpc.enable_channelz': 0,
    });
  const fresh = createFreshClient(open, freshMs, clock);

  const streams = createCallStreams({
    open(service) {
      const now = clock.now();
      const opening = { caller: anonymous, service, deadline: now + minute, traceparent: undefined };
      const metadata = toMetadata(opening, { keys, peer, path: callsPath, now });
      const { client, end } = fresh.take();
      return client.makeBidiStreamRequest(callsPath, asBuffer, asIs, metadata).on('status', end);
    },
    prove: (path, request, outgoing) => proofOf(outgoing, { keys, peer, path, request, now: clock.now() }),
    toError,
    gone: () => fromGrpcStatus(status.UNAVAILABLE, peer, undefined),
    now: clock.now,
    freshMs,
  });

  let refusedAt = Number.NEGATIVE_INFINITY;
  function toError(error: ServiceError): Error {
    const carried = error.metadata?.get(errorKey)[0];
    if (carried instanceof Buffer) return decodeError(carried);
    if (isRefusal(error) && clock.now() - refusedAt >= minute) {
      refusedAt = clock.now();
      onRefused?.(refusalOf(error));
    }
    return fromGrpcStatus(error.code, peer, error);
  }

  return {
    remote: true,
    unary: async (path, request, outgoing) => await streams.unary(path, request, outgoing),
    bidi(path, { input, output }, outgoing): BidiStream {
      const { client, end } = fresh.take();
      const call = client.makeBidiStreamRequest(
        path,
        asBuffer,
        asIs,
        toMetadata(outgoing, { keys, peer, path, now: clock.now() }),
        { deadline: outgoing.deadline },
      );
      call.on('status', end);
      return {
        write: (request) => call.write(toBinary(input, request)),
        end: () => call.end(),
        cancel: () => call.cancel(),
        answers: readAnswers(decodeEach(output, call as AsyncIterable<Buffer>)),
      };
    },
    ready(timeoutMs) {
      return new Promise((resolve, reject) => {
        const { client, end } = fresh.take();
        const now = clock.now();
        const deadline = now + timeoutMs;
        const asking = { caller: anonymous, service, deadline, traceparent: undefined };
        client.makeUnaryRequest(
          health.path,
          health.requestSerialize,
          health.responseDeserialize,
          { service: readyName },
          toMetadata(asking, { keys, peer, path: health.path, now }),
          { deadline },
          (error, answer) => {
            end();
            if (error !== null) reject(isRefusal(error) ? unauthenticated(refusalOf(error)) : toError(error));
            else if ((answer as { status?: string }).status === 'SERVING') resolve();
            else reject(unavailable(`${peer} is not ready`));
          },
        );
      });
    },
    close() {
      streams.close();
      fresh.close();
      return Promise.resolve();
    },
  };

  async function* readAnswers(answers: AsyncIterable<Message>): AsyncIterable<Message> {
    try {
      yield* answers;
    } catch (thrown) {
      throw isServiceError(thrown) ? toError(thrown) : asHearthError(thrown);
    }
  }
}

const isRefusal = (error: ServiceError): boolean => error.code === status.UNAUTHENTICATED;

const refusalOf = ({ details }: ServiceError): string => `refuses the calls of this process: ${details}`;

/** grpc-js balances calls over all addresses of a name, or of a list. */
function toTarget(address: string): string {
  return address.includes(',') ? `ipv4:${address}` : address;
}

function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'number';
}
