import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { clearExtension, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type FieldDescriptorProto,
  FieldDescriptorProto_Type,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { rules } from '@hearth/proto/options';
import { expect, test } from '@jest/globals';
import { declarationFaults } from './declarations.mjs';

const { resolve } = createRequire(import.meta.url);
const descriptors = readFileSync(resolve('@hearth/proto/descriptors'));

/** The declarations with one field of one message changed. */
function changed(message: string, field: string, change: (field: FieldDescriptorProto) => void): Uint8Array {
  const set = fromBinary(FileDescriptorSetSchema, descriptors);
  const messages = set.file.flatMap(({ messageType, package: of }) =>
    messageType.map((proto) => ({ name: `${of}.${proto.name}`, one: proto })),
  );
  const found = messages.find(({ name }) => name === message)?.one.field.find(({ name }) => name === field);
  change(found!);
  return toBinary(FileDescriptorSetSchema, set);
}

const withoutRules = ({ options }: FieldDescriptorProto) => clearExtension(options!, rules);
const asText = (field: FieldDescriptorProto) => {
  field.type = FieldDescriptorProto_Type.STRING;
  field.typeName = '';
};

test('the declarations of this tree are complete', () => {
  expect(declarationFaults(descriptors)).toEqual([]);
});

test.each([
  ['hearth.groups.v1.ListMembersResponse', 'next_cursor', withoutRules, 'FIELD_KIND_NEXT_CURSOR'],
  ['hearth.groups.v1.ListMembersRequest', 'cursor', withoutRules, 'FIELD_KIND_CURSOR'],
  ['hearth.groups.v1.ListMembersRequest', 'limit', withoutRules, 'FIELD_KIND_PAGE_LIMIT'],
  ['hearth.groups.v1.CreateGroupRequest', 'request_id', withoutRules, 'FIELD_KIND_REQUEST_ID'],
  ['hearth.groups.v1.CreateGroupRequest', 'time_zone', withoutRules, 'FIELD_KIND_TIME_ZONE'],
  ['hearth.groups.v1.GetGroupRequest', 'id', withoutRules, 'FIELD_KIND_REFERENCE'],
  ['hearth.groups.v1.UpdateGroupRequest', 'ends_at', asText, 'google.protobuf.Timestamp'],
  ['hearth.groups.v1.Member', 'joined_at', asText, 'google.protobuf.Timestamp'],
])('%s.%s in another form is refused', (message, field, change, needed) => {
  const faults = declarationFaults(changed(message, field, change));
  expect(faults).toEqual([expect.stringMatching(new RegExp(`^${message}\\.${field} needs .*${needed}`))]);
});

test.each([
  ['hearth.groups.v1.ListMembersRequest', 'cursor'],
  ['hearth.groups.v1.ListMembersRequest', 'limit'],
])('a list without %s.%s is refused', (message, field) => {
  const other = changed(message, field, (proto) => {
    proto.name = 'other';
    proto.jsonName = 'other';
  });
  expect(declarationFaults(other)).toEqual([
    `${message} needs the field ${field}: ListMembers answers next_cursor`,
  ]);
});
