import type { DescMethod } from '@bufbuild/protobuf';
import {
  type handleBidiStreamingCall,
  type handleUnaryCall,
  type Metadata,
  Metadata as MetadataClass,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import type { Clock } from '@hearth/clock';
import { asHearthError, errorKinds } from '@hearth/errors';
import { BatchService } from '@hearth/proto/batch/v1/batch';
import { HealthImplementation } from 'grpc-health-check';
import { batchPath } from './batcher.ts';
import type { IncomingCall } from './call.ts';
import type { Answer, Dispatcher } from './dispatcher.ts';
import { encodeError, errorKey } from './error-info.ts';
import { fromMetadata } from './metadata.ts';
import { createPushable } from './pushable.ts';
import { addReflection } from './reflection.ts';
import { encodeMetadata, hasMetadata, metadataKey } from './response-metadata.ts';
import { serveBatch } from './serve-batch.ts';

export interface RpcServerOptions {
  dispatcher: Dispatcher;
  /** "127.0.0.1:9090"; port 0 takes a free one. */
  address: string;
  /** Shared by the services of one home; every call must carry it. */
  secret: string;
  clock: Clock;
  /** Old connections end after so long, so that clients find new pods (default 5 minutes). */
  maxConnectionAgeMs?: number;
}

export interface RpcServer {
  readonly port: number;
  setServing(serving: boolean): void;
  /** Ends taking calls, waits for those in hand at most that long, then cuts. */
  stop(graceMs: number): Promise<void>;
}

const identity = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const longCallMs = 86_400_000;
/** A bare status and no HearthError: it says nothing of the credential of whom the caller would act for. */
const stranger = {
  code: status.UNAUTHENTICATED,
  details: 'this port is for the services of one home; the peer secret does not match',
};

/** Serves a dispatcher over gRPC, with health checks, reflection and batches. */
export async function createRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { dispatcher, secret, clock, maxConnectionAgeMs = 300_000 } = options;
  const server = new Server({
    'grpc.max_connection_age_ms': maxConnectionAgeMs,
    // Holds are renewed by their gateway well within this grace.
    'grpc.max_connection_age_grace_ms': maxConnectionAgeMs,
    'grpc.keepalive_time_ms': 20_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.max_receive_message_length': 32 * 1024 * 1024,
    'grpc.max_concurrent_streams': 10_000,
  });
  const health = new HealthImplementation({ '': 'NOT_SERVING' });
  health.addToServer(server);
  addReflection(server);
  const batch = { desc: BatchService.method.batch };
  for (const [path, { desc }] of new Map([...dispatcher.methods, [batchPath, batch]])) addMethod(path, desc);

  function incoming(metadata: Metadata, deadline: Date | number): IncomingCall | null {
    const at = typeof deadline === 'number' ? deadline : deadline.getTime();
    return fromMetadata(metadata, secret, Number.isFinite(at) ? at : clock.now() + longCallMs);
  }

  function unary(path: string): handleUnaryCall<Buffer, Uint8Array> {
    return (call: ServerUnaryCall<Buffer, Uint8Array>, callback: sendUnaryData<Uint8Array>) => {
      const answer = async (): Promise<Answer> => {
        const arrived = incoming(call.metadata, call.getDeadline());
        if (arrived === null) throw stranger;
        if (path === batchPath) return serveBatch(dispatcher, call.request, arrived, clock.now());
        return dispatcher.unary(path, call.request, arrived);
      };
      answer().then(
        ({ bytes, metadata }) => callback(null, bytes, hasMetadata(metadata) ? toGrpc(metadata) : undefined),
        (thrown: unknown) => callback(toStatus(thrown)),
      );
    };
  }

  function bidi(path: string): handleBidiStreamingCall<Buffer, Uint8Array> {
    return async (call) => {
      try {
        const arrived = incoming(call.metadata, call.getDeadline());
        if (arrived === null) throw stranger;
        // Not the stream's own iterator: leaving that one early destroys the stream before its status is sent.
        const requests = createPushable<Uint8Array>();
        call.on('data', (bytes: Buffer) => requests.push(bytes));
        call.on('end', () => requests.end());
        call.on('cancelled', () => requests.end());
        for await (const bytes of dispatcher.bidi(path, requests, arrived)) {
          if (call.cancelled) return;
          call.write(bytes);
        }
        call.end();
      } catch (thrown) {
        if (!call.cancelled) call.emit('error', toStatus(thrown));
      }
    };
  }

  function addMethod(path: string, { localName, methodKind }: DescMethod): void {
    const streams = methodKind === 'bidi_streaming';
    const definition = {
      path,
      requestStream: streams,
      responseStream: streams,
      requestSerialize: identity,
      requestDeserialize: (bytes: Buffer) => bytes,
      responseSerialize: identity,
      responseDeserialize: (bytes: Buffer) => bytes,
    };
    server.addService({ [localName]: definition }, { [localName]: streams ? bidi(path) : unary(path) });
  }

  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(options.address, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });

  return {
    port,
    setServing: (serving) => health.setStatus('', serving ? 'SERVING' : 'NOT_SERVING'),
    stop(graceMs) {
      return new Promise((resolve) => {
        const cut = setTimeout(() => server.forceShutdown(), graceMs);
        server.tryShutdown(() => {
          clearTimeout(cut);
          resolve();
        });
      });
    },
  };
}

function toGrpc(answered: Answer['metadata']): MetadataClass {
  const metadata = new MetadataClass();
  metadata.set(metadataKey, encodeMetadata(answered));
  return metadata;
}

function toStatus(thrown: unknown): { code: number; details: string; metadata?: MetadataClass } {
  if (thrown === stranger) return stranger;
  const error = asHearthError(thrown);
  const metadata = new MetadataClass();
  metadata.set(errorKey, encodeError(error));
  return { code: errorKinds[error.kind].grpc, details: error.kind, metadata };
}
