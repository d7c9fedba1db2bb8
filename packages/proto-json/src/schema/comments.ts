import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
} from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
  type ServiceDescriptorProto,
  type SourceCodeInfo_Location,
} from '@bufbuild/protobuf/wkt';

type Described = DescMessage | DescField | DescEnum | DescEnum['values'][number] | DescService | DescMethod;

/** The comments of .proto files. */
export interface Comments {
  /** The comment above or behind a declaration, each paragraph as one line; '' if there is none. */
  of(desc: Described): string;
}

// The field numbers in descriptor.proto on the path to a declaration in SourceCodeInfo.
const inFile = { message: 4, enum: 5, service: 6 };
const inMessage = { field: 2, message: 3, enum: 4 };
const inEnum = { value: 2 };
const inService = { method: 2 };

/** Loads the comments of all .proto files, once at process start (about 20 ms). */
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
  for (const [index, message] of file.messageType.entries()) {
    addMessage(message, `${inFile.message}.${index}`, parent, add);
  }
  for (const [index, desc] of file.enumType.entries()) {
    addEnum(desc, `${inFile.enum}.${index}`, parent, add);
  }
  for (const [index, service] of file.service.entries()) {
    addService(service, `${inFile.service}.${index}`, parent, add);
  }
}

type Add = (path: string, name: string) => void;

function addMessage(message: DescriptorProto, path: string, parent: string, add: Add): void {
  const name = parent + message.name;
  add(path, name);
  for (const [index, field] of message.field.entries()) {
    add(`${path}.${inMessage.field}.${index}`, `${name}.${field.name}`);
  }
  for (const [index, nested] of message.nestedType.entries()) {
    addMessage(nested, `${path}.${inMessage.message}.${index}`, `${name}.`, add);
  }
  for (const [index, desc] of message.enumType.entries()) {
    addEnum(desc, `${path}.${inMessage.enum}.${index}`, `${name}.`, add);
  }
}

function addEnum(desc: EnumDescriptorProto, path: string, parent: string, add: Add): void {
  const name = parent + desc.name;
  add(path, name);
  for (const [index, value] of desc.value.entries()) {
    add(`${path}.${inEnum.value}.${index}`, `${name}.${value.name}`);
  }
}

function addService(service: ServiceDescriptorProto, path: string, parent: string, add: Add): void {
  const name = parent + service.name;
  add(path, name);
  for (const [index, method] of service.method.entries()) {
    add(`${path}.${inService.method}.${index}`, `${name}.${method.name}`);
  }
}

/** Joins the lines of each paragraph and drops notes to tools (`buf:lint:...`). */
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
