import { fileURLToPath } from 'node:url';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { systemClock } from '@hearth/clock';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDispatcher } from './dispatcher.ts';
import { createRpcServer, type RpcServer } from './server.ts';

let server: RpcServer;

beforeAll(async () => {
  const dispatcher = createDispatcher({ clock: systemClock, onUnexpected: () => {} });
  const secret = 'the secret of these services';
  server = await createRpcServer({
    dispatcher,
    address: '127.0.0.1:0',
    services: [],
    secret,
    clock: systemClock,
  });
});

afterAll(() => server.stop(1_000));

/** Asks as grpcurl does, in one protocol version. */
// biome-ignore lint/suspicious/noExplicitAny: what the library makes of a .proto at run time has no types.
function ask(version: string, question: object): Promise<any> {
  const proto = import.meta.resolve(
    `@grpc/reflection/build/proto/grpc/reflection/${version}/reflection.proto`,
  );
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const loaded: any = loadPackageDefinition(loadSync(fileURLToPath(proto), { oneofs: true }));
  const { ServerReflection } = loaded.grpc.reflection[version];
  const client = new ServerReflection(`127.0.0.1:${server.port}`, credentials.createInsecure());
  return new Promise((resolve, reject) => {
    const call = client.serverReflectionInfo();
    call.on('data', resolve);
    call.on('error', reject);
    call.write(question);
    call.end();
  }).finally(() => client.close());
}

test.each(['v1', 'v1alpha'])('reflection %s lists services and returns the files of one', async (version) => {
  const { listServicesResponse } = await ask(version, { listServices: '*' });
  const names = listServicesResponse.service.map(({ name }: { name: string }) => name);
  expect(names).toContain(MessagesService.typeName);

  const { fileDescriptorResponse } = await ask(version, { fileContainingSymbol: MessagesService.typeName });
  const files = fileDescriptorResponse.fileDescriptorProto.map((bytes: Buffer) =>
    fromBinary(FileDescriptorProtoSchema, bytes),
  );
  const [file] = files;
  expect(file.name).toBe(MessagesService.file.proto.name);
  expect(file.service[0].method.map(({ name }: { name: string }) => name)).toEqual(
    MessagesService.methods.map(({ name }) => name),
  );
  const given = files.map(({ name }: { name: string }) => name);
  expect(given).toContain('google/protobuf/timestamp.proto');

  const { errorResponse } = await ask(version, { fileContainingSymbol: 'hearth.unknown.Service' });
  expect(errorResponse.errorCode).toBe(5);
});
