import { setMaxListeners } from 'node:events';
import { type DescMethod, toBinary } from '@bufbuild/protobuf';
import {
  type handleBidiStreamingCall,
  type handleUnaryCall,
  Metadata,
  Server,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type sendUnaryData,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import type { Clock } from '@hearth/clock';
import { asHearthError, errorKinds } from '@hearth/errors';
import { BatchService } from '@hearth/proto/batch/v1/batch';
import { HealthImplementation } from 'grpc-health-check';
import { asBuffer } from './as-buffer.ts';
import { createAuthenticator, refused } from './authenticate.ts';
import { batchPath, callsPath } from './batcher.ts';
import type { IncomingCall } from './call.ts';
import { decodeEach } from './decode-each.ts';
import type { Answer, Dispatcher } from './dispatcher.ts';
import { encodeError, errorKey } from './error-info.ts';
import { type Arrival, type Claim, readClaim, type refusals, toIncoming } from './metadata.ts';
import { createPairKeys, digestOf } from './proof.ts';
import { createPushable } from './pushable.ts';
import { addReflection } from './reflection.ts';
import { readyName } from './remote-channel.ts';
import { encodeMetadata, hasMetadata, metadataKey } from './response-metadata.ts';
import { serveBatch } from './serve-batch.ts';
import { serveCalls } from './serve-calls.ts';
import { openTls, type TlsFiles } from './tls.ts';

export interface RpcServerOptions {
  dispatcher: Dispatcher;
  /** "127.0.0.1:9090"; port 0 picks a free one. */
  address: string;
  /** The services run by this process, which callers address in their proofs. */
  services: readonly string[];
  /** Shared by the services of one home; every call carries a proof made with it. */
  secret: string;
  /** Without them, calls are unencrypted. */
  tls?: TlsFiles | undefined;
  clock: Clock;
  /** Awaited before answering health under the name "ready", so that `setReady` can report the current state. */
  beforeReady?: () => Promise<void>;
}

export interface RpcServer {
  readonly port: number;
  /** The health of this process alone. */
  setServing(serving: boolean): void;
  /** The health under the name "ready": whether its database and bus answer too. */
  setReady(ready: boolean): void;
  /** Stops accepting calls, waits at most that long for pending ones, then cuts them off. */
  stop(graceMs: number): Promise<void>;
}

const nothing = new Uint8Array();
const longCallMs = 86_400_000;
/** A request other than the one its proof was made for. */
const stranger = refused('stranger');

/** Serves a dispatcher over gRPC, with health checks, reflection and batches. */
export async function createRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { dispatcher, secret, services, tls, clock } = options;
  const ways = BatchService.method;
  const methods = new Map<string, { desc: DescMethod }>([
    ...dispatcher.methods,
    [batchPath, { desc: ways.batch }],
    [callsPath, { desc: ways.calls }],
  ]);
  const arrivals = new WeakMap<Metadata, Arrival>();
  const receiving = {
    keys: createPairKeys(secret),
    callers: dispatcher.callers(),
    peers: new Set(services),
  };
  const authenticate = createAuthenticator({
    ...receiving,
    paths: new Set(methods.keys()),
    tls: tls !== undefined,
    clock,
    onArrival: (metadata, arrival) => arrivals.set(metadata, arrival),
  });
  const server = new Server({
    interceptors: [authenticate],
    'grpc.keepalive_time_ms': 20_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.max_receive_message_length': 32 * 1024 * 1024,
    'grpc.max_concurrent_streams': 10_000,
    // Disables call counts that nothing reads.
    'grpc.enable_channelz': 0,
  });
  const stopping = new AbortController();
  // Each stream listens to it.
  setMaxListeners(0, stopping.signal);
  const health = new HealthImplementation({ '': 'NOT_SERVING', [readyName]: 'NOT_SERVING' });
  health.addToServer(withReadinessCheck(server, options.beforeReady));
  addReflection(server);
  for (const [path, { desc }] of methods) addMethod(path, desc);

  function arrivalOf(metadata: Metadata, request: Uint8Array): Arrival {
    const arrival = arrivals.get(metadata);
    if (arrival === undefined || !arrival.digest.equals(digestOf(request))) throw stranger;
    return arrival;
  }

  function incoming(metadata: Metadata, deadline: Date | number, request: Uint8Array): IncomingCall {
    const arrival = arrivalOf(metadata, request);
    const at = typeof deadline === 'number' ? deadline : deadline.getTime();
    const now = clock.now();
    return toIncoming(arrival, Number.isFinite(at) ? at : now + longCallMs, now);
  }

  function answer(path: string, request: Uint8Array, arrived: IncomingCall): Promise<Answer> {
    if (path === batchPath) return serveBatch(dispatcher, request, arrived, clock.now());
    return dispatcher.unary(path, request, arrived);
  }

  function unary(path: string): handleUnaryCall<Buffer, Uint8Array> {
    return (call: ServerUnaryCall<Buffer, Uint8Array>, callback: sendUnaryData<Uint8Array>) => {
      const answerNow = async () =>
        answer(path, call.request, incoming(call.metadata, call.getDeadline(), call.request));
      answerNow().then(
        ({ bytes, metadata }) => callback(null, bytes, hasMetadata(metadata) ? toGrpc(metadata) : undefined),
        (thrown: unknown) => callback(toStatus(thrown)),
      );
    };
  }

  function bidi(path: string, { input, output }: DescMethod): handleBidiStreamingCall<Buffer, Uint8Array> {
    return async (call) => {
      try {
        const arrived = incoming(call.metadata, call.getDeadline(), nothing);
        // Not the stream's own iterator: leaving it early destroys the stream before its status is sent.
        const requests = createPushable<Uint8Array>();
        call.on('data', (bytes: Buffer) => requests.push(bytes));
        call.on('end', () => requests.end());
        call.on('cancelled', () => requests.end());
        for await (const answer of dispatcher.bidi(path, decodeEach(input, requests), {
          ...arrived,
          stopping: stopping.signal,
        })) {
          if (call.cancelled) return;
          call.write(toBinary(output, answer));
        }
        call.end();
      } catch (thrown) {
        if (!call.cancelled) call.emit('error', toStatus(thrown));
      }
    };
  }

  /** The proof of one of the stream's calls. */
  function read(claim: Claim, path: string, request: Uint8Array): Arrival | keyof typeof refusals {
    const arrival = readClaim(claim, { ...receiving, path, now: clock.now() });
    if (typeof arrival === 'string') return arrival;
    return arrival.digest.equals(digestOf(request)) ? arrival : 'stranger';
  }

  function calls(stream: ServerDuplexStream<Buffer, Uint8Array>): void {
    const { service, peer } = arrivalOf(stream.metadata, nothing);
    serveCalls(stream, { from: { service, peer }, read, answer, now: clock.now, stopping: stopping.signal });
  }

  function addMethod(path: string, desc: DescMethod): void {
    const { localName } = desc;
    const streams = desc.methodKind === 'bidi_streaming';
    const definition = {
      path,
      requestStream: streams,
      responseStream: streams,
      requestSerialize: asBuffer,
      requestDeserialize: (bytes: Buffer) => bytes,
      responseSerialize: asBuffer,
      responseDeserialize: (bytes: Buffer) => bytes,
    };
    const handler = path === callsPath ? calls : streams ? bidi(path, desc) : unary(path);
    server.addService({ [localName]: definition }, { [localName]: handler });
  }

  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(options.address, openTls(tls).server, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });

  return {
    port,
    setServing: (serving) => health.setStatus('', statusOf(serving)),
    setReady: (ready) => health.setStatus(readyName, statusOf(ready)),
    stop(graceMs) {
      return new Promise((resolve) => {
        const cut = setTimeout(() => server.forceShutdown(), graceMs);
        server.tryShutdown(() => {
          clearTimeout(cut);
          resolve();
        });
        // Callers were told to go elsewhere: a stream that replaces this one reaches another process.
        stopping.abort();
      });
    },
  };
}

/**
 * Wraps the server for the health service, so that `beforeReady` runs before health under the name "ready" is answered.
 */
function withReadinessCheck(server: Server, beforeReady = async () => {}): Server {
  const addService: Server['addService'] = (service, methods) => {
    const check = methods['check'] as handleUnaryCall<{ service: string }, object>;
    const checkNow: typeof check = (call, callback) => {
      if (call.request.service !== readyName) return check(call, callback);
      const answer = () => check(call, callback);
      beforeReady().then(answer, answer);
    };
    server.addService(service, { ...methods, check: checkNow as UntypedHandleCall });
  };
  return { addService } as Server;
}

function statusOf(well: boolean): 'SERVING' | 'NOT_SERVING' {
  return well ? 'SERVING' : 'NOT_SERVING';
}

function toGrpc(answered: Answer['metadata']): Metadata {
  const metadata = new Metadata();
  metadata.set(metadataKey, encodeMetadata(answered));
  return metadata;
}

function toStatus(thrown: unknown): { code: number; details: string; metadata?: Metadata } {
  if (thrown === stranger) return stranger;
  const error = asHearthError(thrown);
  const metadata = new Metadata();
  metadata.set(errorKey, encodeError(error));
  return { code: errorKinds[error.kind].grpc, details: error.kind, metadata };
}
