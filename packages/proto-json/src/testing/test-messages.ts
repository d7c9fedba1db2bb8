import {
  createFileRegistry,
  createRegistry,
  type DescMessage,
  fromJson,
  type JsonValue,
} from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  file_google_protobuf_descriptor,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
} from '@bufbuild/protobuf/wkt';
import { file_hearth_options } from '@hearth/proto/options';

/** Declarations missing from the project's .proto files: every kind of field, and every rule. */

const optional = { label: 'LABEL_OPTIONAL' };
const repeated = { label: 'LABEL_REPEATED' };
const withRules = (rules: JsonValue) => ({ options: { '[hearth.rules]': rules } });

function field(name: string, number: number, type: string, ...parts: object[]) {
  return Object.assign({ name, number, jsonName: name, type: `TYPE_${type}` }, optional, ...parts);
}

function message(name: string, number: number, typeName: string, ...parts: object[]) {
  return field(name, number, 'MESSAGE', { typeName }, ...parts);
}

const scalars = [
  'double',
  'float',
  'int64',
  'uint64',
  'int32',
  'fixed64',
  'fixed32',
  'bool',
  'string',
  'bytes',
  'uint32',
  'sfixed32',
  'sfixed64',
  'sint32',
  'sint64',
];

/** An optional field with presence, of the type in `name`; its oneof has the same index in oneofDecl. */
function tracked(name: string, number: number, index: number, ...parts: object[]) {
  return field(name, number, 'STRING', { proto3Optional: true, oneofIndex: index }, ...parts);
}

const stringMap = (name: string, type: object) => ({
  name,
  options: { mapEntry: true },
  field: [field('key', 1, 'STRING'), { name: 'value', number: 2, jsonName: 'value', ...optional, ...type }],
});

const file = {
  name: 'hearth/test/v1/test.proto',
  package: 'hearth.test.v1',
  syntax: 'proto3',
  dependency: ['hearth/options.proto', 'google/protobuf/struct.proto', 'google/protobuf/timestamp.proto'],
  enumType: [
    {
      name: 'Colour',
      value: [
        { name: 'COLOUR_UNSPECIFIED', number: 0 },
        { name: 'COLOUR_RED', number: 1 },
        { name: 'COLOUR_DARK_BLUE', number: 2 },
      ],
    },
  ],
  messageType: [
    {
      name: 'Scalars',
      field: scalars.flatMap((type, index) => [
        field(`one_${type}`, index + 1, type.toUpperCase()),
        field(`many_${type}`, index + 101, type.toUpperCase(), repeated),
      ]),
    },
    {
      name: 'Shapes',
      field: [
        field('colour', 1, 'ENUM', { typeName: '.hearth.test.v1.Colour' }),
        field('colours', 2, 'ENUM', { typeName: '.hearth.test.v1.Colour' }, repeated),
        message('inner', 3, '.hearth.test.v1.Inner'),
        message('inners', 4, '.hearth.test.v1.Inner', repeated),
        message('at', 5, '.google.protobuf.Timestamp'),
        message('times', 6, '.google.protobuf.Timestamp', repeated),
        message('data', 7, '.google.protobuf.Struct'),
        message('datas', 8, '.google.protobuf.Struct', repeated),
        message('any_json', 9, '.google.protobuf.Value'),
        message('any_list', 10, '.google.protobuf.ListValue'),
        message('counts', 11, '.hearth.test.v1.Shapes.CountsEntry', repeated),
        message('inner_by_name', 12, '.hearth.test.v1.Shapes.InnerByNameEntry', repeated),
        message('self', 13, '.hearth.test.v1.Shapes'),
        field('by_text', 14, 'STRING', { oneofIndex: 0 }),
        field('by_number', 15, 'UINT32', { oneofIndex: 0 }),
        message('by_inner', 16, '.hearth.test.v1.Inner', { oneofIndex: 0 }),
      ],
      oneofDecl: [{ name: 'choice' }],
      nestedType: [
        stringMap('CountsEntry', { type: 'TYPE_INT64' }),
        stringMap('InnerByNameEntry', { type: 'TYPE_MESSAGE', typeName: '.hearth.test.v1.Inner' }),
      ],
    },
    {
      name: 'Inner',
      field: [field('starts_at', 1, 'STRING', withRules({ required: true })), field('note', 2, 'STRING')],
    },
    {
      name: 'Ruled',
      field: [
        tracked('line', 1, 0, withRules({ minLength: 2, maxLength: 5, text: 'TEXT_KIND_LINE' })),
        tracked('lines', 2, 1, withRules({ maxLength: 20, text: 'TEXT_KIND_LINES' })),
        tracked('raw', 3, 2, withRules({ maxLength: 5, text: 'TEXT_KIND_RAW' })),
        tracked('pattern', 4, 3, withRules({ pattern: 'a|bc', patternWords: 'a or bc' })),
        tracked('id', 5, 4, withRules({ id: ['msg', 'thr'] })),
        tracked('plain', 6, 5),
        tracked('nullable', 7, 6, withRules({ nullable: true, example: '"x"' })),
        field('bounded', 8, 'INT32', withRules({ minimum: '-5', maximum: '5' })),
        field('clamped', 9, 'UINT32', withRules({ maximum: '30', clamp: true })),
        field('big', 10, 'INT64', withRules({ minimum: '1', maximum: '9007199254740993' })),
        field('items', 11, 'STRING', repeated, withRules({ minItems: 1, maxItems: 3, id: ['msg'] })),
        message('data', 12, '.google.protobuf.Struct', withRules({ maxJsonBytes: 40 })),
        field('bytes', 13, 'BYTES', withRules({ minLength: 2, maxLength: 4 })),
        tracked('unworded', 14, 7, withRules({ maxLength: 10 })),
        message('until', 15, '.google.protobuf.Timestamp', withRules({ nullable: true })),
        field('colour', 16, 'ENUM', { typeName: '.hearth.test.v1.Colour' }, withRules({ nullable: true })),
        tracked('word', 17, 8, withRules({ only: ['one.two', 'three'], text: 'TEXT_KIND_RAW' })),
        field(
          'age',
          18,
          'UINT32',
          { proto3Optional: true, oneofIndex: 9 },
          withRules({ only: ['13', '16'] }),
        ),
        tracked('event', 19, 10, withRules({ kind: 'FIELD_KIND_WAKE_UP' })),
      ],
      oneofDecl: [
        ...['line', 'lines', 'raw', 'pattern', 'id', 'plain', 'nullable', 'unworded'],
        ...['word', 'age', 'event'],
      ].map((name) => ({ name: `_${name}` })),
    },
    {
      name: 'Kinds',
      field: [
        field('reference', 1, 'STRING', withRules({ kind: 'FIELD_KIND_REFERENCE', example: '"@robin"' })),
        tracked('maybe', 2, 0, withRules({ kind: 'FIELD_KIND_REFERENCE' })),
        field('several', 3, 'STRING', repeated, withRules({ kind: 'FIELD_KIND_REFERENCE', maxItems: 2 })),
        tracked('needed', 4, 1, withRules({ kind: 'FIELD_KIND_REFERENCE', required: true, maxLength: 10 })),
        field('limit', 5, 'UINT32', withRules({ kind: 'FIELD_KIND_PAGE_LIMIT' })),
      ],
      oneofDecl: [{ name: '_maybe' }, { name: '_needed' }],
    },
  ],
};

const dependencies = [
  file_hearth_options,
  file_google_protobuf_descriptor,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
];
const descriptor = fromJson(FileDescriptorProtoSchema, file as JsonValue, {
  registry: createRegistry(...dependencies),
});
const registry = createFileRegistry(descriptor, (name) =>
  dependencies.find((known) => known.proto.name === name),
);

function find(name: string): DescMessage {
  const desc = registry.getMessage(`hearth.test.v1.${name}`);
  if (!desc) throw new Error(`no test message ${name}`);
  return desc;
}

/** Each scalar type, singular and repeated, without rules. */
export const ScalarsSchema = find('Scalars');
/** Enums, nested messages, well-known types, maps, a oneof, and a message that contains itself. */
export const ShapesSchema = find('Shapes');
/** Every rule of options.proto. */
export const RuledSchema = find('Ruled');
/** Fields of named kinds. */
export const KindsSchema = find('Kinds');
