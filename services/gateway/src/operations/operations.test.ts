import { clone, createFileRegistry, type DescFile, type DescService } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { expect, test } from '@jest/globals';
import { readOperations } from './operations.ts';

/** The messages service with a changed declaration. */
function declaredWith(edit: (file: FileDescriptorProto) => void): DescService {
  const { file } = MessagesService;
  const proto = clone(FileDescriptorProtoSchema, file.proto);
  edit(proto);
  const findFile = (name: string, { dependencies }: DescFile = file): DescFile['proto'] | undefined => {
    for (const each of dependencies) {
      const found = each.proto.name === name ? each.proto : findFile(name, each);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return createFileRegistry(proto, (name) => findFile(name)).getService(MessagesService.typeName)!;
}

const messageOf = (file: FileDescriptorProto, name: string) =>
  file.messageType.find((message) => message.name === name)!;
const fieldOf = (file: FileDescriptorProto, message: string, name: string) =>
  messageOf(file, message).field.find((field) => field.name === name)!;

test('the declared service is accepted', () => {
  expect(readOperations([declaredWith(() => {})]).length).toBeGreaterThan(0);
});

test.each([
  ['ListMessagesResponse', 'next_cursor', 'NEXT_CURSOR'],
  ['ListMessagesRequest', 'cursor', 'CURSOR'],
])('%s.%s needs its kind', (message, name, kind) => {
  const service = declaredWith((file) => {
    fieldOf(file, message, name).options = undefined;
  });
  expect(() => readOperations([service])).toThrow(`needs [(hearth.rules).kind = FIELD_KIND_${kind}]`);
});

test.each([
  ['ListMessagesRequest', 'wait', 'needs a field wait'],
  ['ListMessagesResponse', 'superseded', 'needs: optional bool superseded'],
])('an operation that can wait needs %s.%s', (message, name, words) => {
  const service = declaredWith((file) => {
    fieldOf(file, message, name).name = 'other';
  });
  expect(() => readOperations([service])).toThrow(words);
});
