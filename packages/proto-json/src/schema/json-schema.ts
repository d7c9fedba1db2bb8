import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { enumNames } from '@hearth/enum-names';
import { internal } from '@hearth/errors';
import { FieldKindSchema } from '@hearth/proto/options';
import {
  asCameField,
  type Bounds,
  boundedRulesOf,
  jsonNameOf,
  publicFields,
  rulesOf,
  valuesOf,
} from '../field-rules.ts';
import { wellKnownKind } from '../well-known.ts';
import type { Comments } from './comments.ts';
import { valueSchema } from './value-schema.ts';

/** A JSON Schema of draft 2020-12, as used by OpenAPI 3.1 and MCP tools. */
export type JsonSchema = Record<string, unknown>;

export type Direction = 'request' | 'response';

export interface SchemaOptions {
  /** Requests and responses differ in required members and in additional ones. */
  direction: Direction;
  /** The values of the limits that fields name. */
  bounds: Bounds;
  /** The `$ref` of a component: `#/components/schemas/<name>` in OpenAPI, `#/$defs/<name>` in a tool. */
  ref(name: string): string;
  /** The source of descriptions; without it there are none. */
  comments?: Comments;
  /** Names a nested message's component. Default: `componentName`. */
  name?(desc: DescMessage, direction: Direction): string;
  /** Fields of the message itself to leave out, because the path carries them. */
  omit?: readonly string[];
  /**
   * For language models, which read all of it: one sentence per field, and bounds only for values that the model makes
   * up. Leaves out bounds of copied values (ids, addresses, cursors), rules that errors explain, examples, and phrases
   * common to many fields.
   */
  terse?: boolean;
}

export interface MessageSchemas {
  /** The message's own schema. */
  schema: JsonSchema;
  /** The schemas of nested messages, by the names given to `ref`. */
  components: Record<string, JsonSchema>;
}

/** `Card` in a response, `PublicKeyInput` in a request: one message may be in both, with different rules. */
export function componentName(desc: DescMessage, direction: Direction): string {
  return direction === 'response' || desc.name.endsWith('Request') ? desc.name : `${desc.name}Input`;
}

/**
 * The JSON Schema of the JSON that `readMessage` accepts or `writeMessage` produces. In a response every member is
 * required unless declared `optional`. Length limits count cleaned text, so the schema is sometimes stricter than the
 * home. Throws HearthError `internal` if two messages share a component name.
 */
export function jsonSchema(desc: DescMessage, options: SchemaOptions): MessageSchemas {
  const found = new Found(options);
  const schema = found.object(desc, options.omit ?? []);
  return { schema, components: found.components() };
}

/** The schema of a single field, for a query or path parameter. */
export function fieldSchema(
  field: DescField,
  options: SchemaOptions,
): MessageSchemas & { required: boolean } {
  const found = new Found(options);
  const schema = found.property(field);
  return { schema, required: isRequired(field, options.direction), components: found.components() };
}

/** The nested messages found so far, each described once. */
class Found {
  readonly options: SchemaOptions;
  readonly #byName = new Map<string, { desc: DescMessage; schema: JsonSchema }>();

  constructor(options: SchemaOptions) {
    this.options = options;
  }

  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#byName].map(([name, { schema }]) => [name, schema]));
  }

  /**
   * @param foreign part of a text that another home signed, which may omit members unchecked here and use unknown words
   */
  object(
    desc: DescMessage,
    omit: readonly string[] = [],
    foreign = asCameField(desc) !== undefined,
  ): JsonSchema {
    if (wellKnownKind(desc) === 'struct') return { type: 'object', additionalProperties: true };
    const fields = publicFields(desc).filter((field) => !omit.includes(field.name));
    const nameOf = (field: DescField) =>
      this.options.direction === 'request' ? field.name : jsonNameOf(field);
    const sure = foreign ? 'request' : this.options.direction;
    const required = fields.filter((field) => isRequired(field, sure)).map(nameOf);
    return {
      type: 'object',
      ...(!this.options.terse && this.description(desc)),
      properties: Object.fromEntries(fields.map((field) => [nameOf(field), this.property(field, foreign)])),
      ...(required.length > 0 && { required }),
      ...(this.options.direction === 'request' && !this.options.terse && { additionalProperties: false }),
    };
  }

  property(field: DescField, foreign = false): JsonSchema {
    const { bounds, terse } = this.options;
    const reference = (message: DescMessage) =>
      foreign ? this.object(message, [], foreign) : this.reference(message);
    const schema = valueSchema(field, { bounds, terse, foreign, reference });
    const { nullable, example } = rulesOf(field);
    const hasExample = example !== '' && !terse;
    return {
      ...(nullable ? orNull(schema, terse) : schema),
      ...this.description(field),
      ...(hasExample && { examples: [parseExample(field, example)] }),
    };
  }

  reference(desc: DescMessage): JsonSchema {
    const name = (this.options.name ?? componentName)(desc, this.options.direction);
    const known = this.#byName.get(name);
    if (known && known.desc.typeName !== desc.typeName) {
      throw internal(`${known.desc.typeName} and ${desc.typeName} would both be the component ${name}`);
    }
    if (!known) {
      // Registered before it is described, because a message may contain itself.
      const entry = { desc, schema: {} };
      this.#byName.set(name, entry);
      entry.schema = this.object(desc);
    }
    return { $ref: this.options.ref(name) };
  }

  description(desc: DescMessage | DescField): JsonSchema {
    const { comments, terse } = this.options;
    const own = (terse ? firstSentence(comments?.of(desc)) : comments && ownWords(desc, comments)) ?? '';
    const size = desc.kind === 'field' && !terse ? this.sizeDescription(desc) : '';
    const words = desc.kind === 'field' ? [this.namesDescription(desc), size] : [];
    const text = [own, ...words].filter((part) => part !== '').join('\n\n');
    return text === '' ? {} : { description: text };
  }

  /** Describes the size of free-form JSON, for which JSON Schema has no keyword. */
  sizeDescription(field: DescField): string {
    const { maxJsonBytes } = boundedRulesOf(field, this.options.bounds);
    return maxJsonBytes === 0 ? '' : `At most ${maxJsonBytes} bytes of JSON.`;
  }

  /** Describes an enum's values, if the declaration has comments. */
  namesDescription(field: DescField): string {
    const { comments } = this.options;
    if (!field.enum || !comments) return '';
    const { nameOf } = enumNames(field.enum);
    const names = valuesOf(field);
    return field.enum.values
      .filter((value) => names.includes(nameOf(value.number)) && comments.of(value) !== '')
      .map((value) => `${nameOf(value.number)}: ${comments.of(value)}`)
      .join('\n');
  }
}

/** Returns the whole text if it has no full stop. */
export function firstSentence(text = ''): string {
  return /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
}

/** The declaration's own comment. Without it, a field uses its kind's or its enum's. */
function ownWords(desc: DescMessage | DescField, comments: Comments): string {
  const own = comments.of(desc);
  if (own !== '' || desc.kind !== 'field') return own;
  const kind = FieldKindSchema.value[rulesOf(desc).kind];
  if (kind !== undefined && comments.of(kind) !== '') return comments.of(kind);
  return desc.enum === undefined ? '' : comments.of(desc.enum);
}

/** A response may omit only members that are `optional` or in a oneof. */
function isRequired(field: DescField, direction: Direction): boolean {
  const { nullable, omitEmpty, required } = rulesOf(field);
  if (direction === 'request') return required;
  return nullable || (!omitEmpty && !field.proto.proto3Optional && field.oneof === undefined);
}

/** Tool clients expect `type` to be a string, and fail on a list. */
function orNull(schema: JsonSchema, terse = false): JsonSchema {
  if (terse || typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, 'null'], ...values };
}

function parseExample(field: DescField, example: string): unknown {
  try {
    return JSON.parse(example);
  } catch (cause) {
    throw internal(`${field.toString()}: its example is not JSON: ${example}`, cause);
  }
}
