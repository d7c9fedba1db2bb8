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

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 and MCP tools hold them. */
export type JsonSchema = Record<string, unknown>;

export type Direction = 'request' | 'response';

export interface SchemaOptions {
  /** A request and an answer differ in their required members, and in whether others may come. */
  direction: Direction;
  /** The numbers of the limits that fields name. */
  bounds: Bounds;
  /** The `$ref` to a component: `#/components/schemas/<name>` in OpenAPI, `#/$defs/<name>` in a tool. */
  ref(name: string): string;
  /** Where descriptions come from; without it there are none. */
  comments?: Comments;
  /** Names a nested message's component; `componentName` when not given. */
  name?(desc: DescMessage, direction: Direction): string;
  /** Fields of the message itself that are left out: those that the path carries. */
  omit?: readonly string[];
  /**
   * For a model, which reads all of it: one sentence a field, and bounds of what it makes up itself. Left out are bounds of what it
   * was given (ids, addresses, cursors), what an error tells as well, examples, and words that many fields share.
   */
  terse?: boolean;
}

export interface MessageSchemas {
  /** The message's own schema. */
  schema: JsonSchema;
  /** Those of the messages that it holds, by the names that `ref` was given. */
  components: Record<string, JsonSchema>;
}

/**
 * `Card` in an answer, `PublicKeyInput` in a request: one message may be in both, with other rules.
 */
export function componentName(desc: DescMessage, direction: Direction): string {
  return direction === 'response' || desc.name.endsWith('Request') ? desc.name : `${desc.name}Input`;
}

/**
 * The JSON Schema of the JSON that `readMessage` takes or `writeMessage` gives. An answer has every member that is not
 * declared `optional`: the service that answers sets it. Limits on text count the cleaned text, so
 * that the schema is sometimes stricter than the home. Throws HearthError `internal` for two messages
 * that would share a component's name.
 */
export function jsonSchema(desc: DescMessage, options: SchemaOptions): MessageSchemas {
  const found = new Found(options);
  const schema = found.object(desc, options.omit ?? []);
  return { schema, components: found.components() };
}

/** One field's schema by itself, for a parameter of a query or path. */
export function fieldSchema(
  field: DescField,
  options: SchemaOptions,
): MessageSchemas & { required: boolean } {
  const found = new Found(options);
  const schema = found.property(field);
  return { schema, required: isRequired(field, options.direction), components: found.components() };
}

/** The messages met on the way, each described once. */
class Found {
  readonly options: SchemaOptions;
  readonly #byName = new Map<string, { desc: DescMessage; schema: JsonSchema }>();

  constructor(options: SchemaOptions) {
    this.options = options;
  }

  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#byName].map(([name, { schema }]) => [name, schema]));
  }

  /** @param foreign it stands in what another home signed, which may leave out what this one does not check and has words of its own */
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
      // Entered before it is described, since a message may hold itself.
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

  /** The size of free-form JSON, for which JSON Schema has no keyword. */
  sizeDescription(field: DescField): string {
    const { maxJsonBytes } = boundedRulesOf(field, this.options.bounds);
    return maxJsonBytes === 0 ? '' : `At most ${maxJsonBytes} bytes of JSON.`;
  }

  /** The meaning of an enum's names, where the declaration tells it. */
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

/** The whole text where it has no full stop. */
export function firstSentence(text = ''): string {
  return /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
}

/** The comment of a declaration, in whose place a field may have that of its kind or of its enum. */
function ownWords(desc: DescMessage | DescField, comments: Comments): string {
  const own = comments.of(desc);
  if (own !== '' || desc.kind !== 'field') return own;
  const kind = FieldKindSchema.value[rulesOf(desc).kind];
  if (kind !== undefined && comments.of(kind) !== '') return comments.of(kind);
  return desc.enum === undefined ? '' : comments.of(desc.enum);
}

/** An answer may lack only members that are declared `optional`, or as one of several. */
function isRequired(field: DescField, direction: Direction): boolean {
  const { nullable, omitEmpty, required } = rulesOf(field);
  if (direction === 'request') return required;
  return nullable || (!omitEmpty && !field.proto.proto3Optional && field.oneof === undefined);
}

/** Clients of tools read `type` as one word, and fail on a list of them. */
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
