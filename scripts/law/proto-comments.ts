import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  createFileRegistry,
  type DescEnum,
  type DescMessage,
  fromBinary,
  hasOption,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { app_event, operation, wake_up } from '@hearth/proto/options';
import { loadComments } from '@hearth/proto-json';

/** The comments in .proto files that no client sees, by the name of what they describe. */
export function internalComments(): Map<string, string> {
  const path = createRequire(import.meta.url).resolve('@hearth/proto/descriptors');
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(path)));
  const types = [...registry].filter(({ typeName }) => typeName.startsWith('hearth.'));
  const shown = new Set<DescMessage | DescEnum>();

  /** A client can meet this message, and everything in it, in an operation or an event. */
  function show(desc: DescMessage | DescEnum): void {
    if (shown.has(desc)) return;
    shown.add(desc);
    if (desc.kind === 'enum') return;
    for (const field of desc.fields) {
      const inner = field.message ?? field.enum;
      if (inner !== undefined) show(inner);
    }
  }

  const comments = loadComments();
  const found = new Map<string, string>();
  const add = (name: string, text: string) => text !== '' && found.set(name, text);
  for (const type of types) {
    if (type.kind === 'service') {
      const isPublic = type.methods.some((method) => hasOption(method, operation));
      if (!isPublic) add(type.typeName, comments.of(type));
      for (const method of type.methods) {
        if (hasOption(method, operation)) [method.input, method.output].forEach(show);
        else add(`${type.typeName}.${method.name}`, comments.of(method));
      }
    } else if (type.kind === 'message' && (hasOption(type, app_event) || hasOption(type, wake_up)))
      show(type);
  }
  for (const type of types) {
    if ((type.kind !== 'message' && type.kind !== 'enum') || shown.has(type)) continue;
    add(type.typeName, comments.of(type));
    for (const part of type.kind === 'message' ? type.fields : type.values)
      add(`${type.typeName}.${part.name}`, comments.of(part));
  }
  return found;
}
