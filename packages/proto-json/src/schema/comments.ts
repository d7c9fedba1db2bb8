import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type DescEnum, type DescField, type DescMessage, type DescMethod, type DescService, fromBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
  type SourceCodeInfo_Location,
} from '@bufbuild/protobuf/wkt';

type Described = DescMessage | DescField | DescEnum | DescEnum['values'][number] | DescService | DescMethod;

/** What the .proto files say in comments. */
export interface Comments {
  /** The comment above a declaration, or behind it, as paragraphs of one line each; '' where there is none. */
  of(desc: Described): string;
}

// The field numbers of descriptor.proto that lead to a declaration in SourceCodeInfo.
const inFile = { message: 4, enum: 5, service: 6 };
const inMessage = { field: 2, message: 3, enum: 4 };
const inEnum = { value: 2 };
const inService = { method: 2 };

/** The comments of every .proto file of the project, read once at the start of a process (about 20 ms). */
export function loadComments(): Comments {
  const path = createRequire(import.meta.url).resolve('@hearth/proto/descriptors');
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(path));
  const texts = new Map<string, string>();
  for (const file of set.file) addFile(file, texts);
  return { of: (desc) => texts.get(nameOf(desc)) ?? '' };
}

function nameOf(desc: Described): string {
  switch (desc.kind) {
    case 'field':
    case 'enum_value':
      return `${desc.parent.typeName}.${desc.name}`;
    case 'rpc':
      return `${desc.parent.typeName}.${desc.name}`;
    default:
      return desc.typeName;
  }
}

function addFile(file: FileDescriptorProto, texts: Map<string, string>): void {
  const byPath = new Map<string, string>();
  for (const location of file.sourceCodeInfo?.location ?? []) {
    const text = commentText(location);
    if (text !== '') byPath.set(location.path.join('.'), text);
  }
  const add = (path: string, name: string) => {
    const text = byPath.get(path);
    if (text !== undefined) texts.set(name, text);
  };
  const parent = file.package === '' ? '' : `${file.package}.`;
  file.messageType.forEach((message, index) => addMessage(message, `${inFile.message}.${index}`, parent, add));
  file.enumType.forEach((desc, index) => addEnum(desc, `${inFile.enum}.${index}`, parent, add));
  file.service.forEach((service, index) => {
    const path = `${inFile.service}.${index}`;
    add(path, parent + service.name);
    service.method.forEach((method, number) => {
      add(`${path}.${inService.method}.${number}`, `${parent}${service.name}.${method.name}`);
    });
  });
}

type Add = (path: string, name: string) => void;

function addMessage(message: DescriptorProto, path: string, parent: string, add: Add): void {
  const name = parent + message.name;
  add(path, name);
  message.field.forEach((field, index) => add(`${path}.${inMessage.field}.${index}`, `${name}.${field.name}`));
  message.nestedType.forEach((nested, index) => {
    addMessage(nested, `${path}.${inMessage.message}.${index}`, `${name}.`, add);
  });
  message.enumType.forEach((desc, index) => addEnum(desc, `${path}.${inMessage.enum}.${index}`, `${name}.`, add));
}

function addEnum(desc: EnumDescriptorProto, path: string, parent: string, add: Add): void {
  const name = parent + desc.name;
  add(path, name);
  desc.value.forEach((value, index) => add(`${path}.${inEnum.value}.${index}`, `${name}.${value.name}`));
}

/** Lines of one paragraph become one line; notes to tools (`buf:lint:...`) are left out. */
function commentText(location: SourceCodeInfo_Location): string {
  const raw = location.leadingComments || location.trailingComments;
  return raw
    .split(/\n[ \t]*\n/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('buf:'))
        .join(' '),
    )
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}
