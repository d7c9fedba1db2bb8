import { Client, credentials, type MethodDefinition, Server, ServerCredentials } from '@grpc/grpc-js';

/** A service whose only method echoes bytes, and its client, both in this process. */
export interface Echo {
  call(bytes: Buffer): Promise<Buffer>;
  stop(): void;
}

const asIs = (bytes: Buffer): Buffer => bytes;
const method: MethodDefinition<Buffer, Buffer> = {
  path: '/bench.Echo/Echo',
  requestStream: false,
  responseStream: false,
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
};

export async function startEcho(): Promise<Echo> {
  const server = new Server();
  server.addService(
    { echo: method },
    {
      echo: (call: { request: Buffer }, done: (error: null, bytes: Buffer) => void) =>
        done(null, call.request),
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  return {
    call: (bytes) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(method.path, asIs, asIs, bytes, (error, answer) =>
          error === null ? resolve(answer!) : reject(error),
        );
      }),
    stop() {
      client.close();
      server.forceShutdown();
    },
  };
}
