import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { handleBidiStreamingCall, Server } from '@grpc/grpc-js';
import type { PackageDefinition } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';

type Added = [
  definition: Parameters<Server['addService']>[0],
  handlers: { ServerReflectionInfo: handleBidiStreamingCall<unknown, unknown> },
];

/** The library would add these to a server, one for each version of the protocol. */
function reflectionOf(declared: PackageDefinition): Added[] {
  const added: Added[] = [];
  const addService = (...each: Added) => added.push(each);
  new ReflectionService(declared).addToServer({ addService } as unknown as Server);
  return added;
}

/** The files alone: the library reads nothing else, and proto-loader would repeat them for each message. */
function readDeclarations(): PackageDefinition {
  const bytes = readFileSync(fileURLToPath(import.meta.resolve('@hearth/proto/descriptors')));
  const { file } = fromBinary(FileDescriptorSetSchema, bytes);
  const fileDescriptorProtos = file.map((each) => Buffer.from(toBinary(FileDescriptorProtoSchema, each)));
  return { hearth: { fileDescriptorProtos } } as unknown as PackageDefinition;
}

/**
 * Lets grpcurl and the like discover what a service answers. It shows declarations, never data. The declarations are
 * read at the first question: they cost more CPU than all else at a start.
 */
export function addReflection(server: Server): void {
  let whole: Added[] | undefined;
  for (const [version, [definition]] of reflectionOf({}).entries()) {
    server.addService(definition, {
      ServerReflectionInfo: ((call) => {
        whole ??= reflectionOf(readDeclarations());
        whole[version]![1].ServerReflectionInfo(call);
      }) satisfies Added[1]['ServerReflectionInfo'],
    });
  }
}
