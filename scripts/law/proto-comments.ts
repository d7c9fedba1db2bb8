import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { loadComments } from '@hearth/proto-json';

/** The comments of the .proto files, by the name of what they describe. */
export function protoComments(): Map<string, string> {
  const path = createRequire(import.meta.url).resolve('@hearth/proto/descriptors');
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(path)));
  const comments = loadComments();
  const found = new Map<string, string>();
  const add = (name: string, text: string) => text !== '' && found.set(name, text);
  for (const type of registry) {
    if (!type.typeName.startsWith('hearth.') || type.kind === 'extension') continue;
    add(type.typeName, comments.of(type));
    const parts =
      type.kind === 'service' ? type.methods : type.kind === 'message' ? type.fields : type.values;
    for (const part of parts) add(`${type.typeName}.${part.name}`, comments.of(part));
  }
  return found;
}
