import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { handleBidiStreamingCall, MethodDefinition, Server } from '@grpc/grpc-js';
import type { PackageDefinition } from '@grpc/proto-loader';

interface Added {
  definition: MethodDefinition<unknown, unknown>;
  answer: handleBidiStreamingCall<unknown, unknown>;
}

/** The services that the library would add to a server, one per protocol version. */
function reflectionOf(declared: PackageDefinition): Added[] {
  const library: typeof import('@grpc/reflection') = createRequire(import.meta.url)('@grpc/reflection');
  const added: Added[] = [];
  const addService = (
    { ServerReflectionInfo: definition }: { ServerReflectionInfo: Added['definition'] },
    { ServerReflectionInfo: answer }: { ServerReflectionInfo: Added['answer'] },
  ) => added.push({ definition, answer });
  new library.ReflectionService(declared).addToServer({ addService } as unknown as Server);
  return added;
}

/** Only the files: the library reads nothing else, and proto-loader would repeat them for each message. */
function readDeclarations(): PackageDefinition {
  const bytes = readFileSync(fileURLToPath(import.meta.resolve('@hearth/proto/descriptors')));
  const { file } = fromBinary(FileDescriptorSetSchema, bytes);
  const fileDescriptorProtos = file.map((each) => Buffer.from(toBinary(FileDescriptorProtoSchema, each)));
  return { hearth: { fileDescriptorProtos } } as unknown as PackageDefinition;
}

/** In the library's order. */
const versions = ['v1', 'v1alpha'];

/**
 * Lets grpcurl and similar tools discover a service's methods. Shows declarations, never data. The library and the
 * declarations are loaded at the first request: they cost more CPU and memory than the rest of a start.
 */
export function addReflection(server: Server): void {
  let whole: Added[] | undefined;
  for (const [index, version] of versions.entries()) {
    const read = (): Added => {
      whole ??= reflectionOf(readDeclarations());
      return whole[index]!;
    };
    const definition: Added['definition'] = {
      path: `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      requestStream: true,
      responseStream: true,
      requestSerialize: (value) => read().definition.requestSerialize(value),
      requestDeserialize: (bytes) => read().definition.requestDeserialize(bytes),
      responseSerialize: (value) => read().definition.responseSerialize(value),
      responseDeserialize: (bytes) => read().definition.responseDeserialize(bytes),
    };
    const answer: Added['answer'] = (call) => read().answer(call);
    server.addService({ ServerReflectionInfo: definition }, { ServerReflectionInfo: answer });
  }
}
