import type { DescMessage } from '@bufbuild/protobuf';
import { internal } from '@hearth/errors';
import { componentName, type Direction, type JsonSchema, type MessageSchemas } from '@hearth/proto-json';

/** The reference to a schema. */
export const refTo = (name: string): string => `#/components/schemas/${name}`;

/** `components.schemas`, built up step by step. Each name has one schema. */
export interface Components {
  add(name: string, schema: JsonSchema): void;
  /** Adds a request and its parts; returns a reference to it and its required fields. */
  request(schemas: MessageSchemas, desc: DescMessage): { schema: JsonSchema; required: readonly string[] };
  /** Adds a response and its parts; returns a reference to it. */
  response(schemas: MessageSchemas, desc: DescMessage): JsonSchema;
  addAll(schemas: Record<string, JsonSchema>): void;
  all(): Record<string, JsonSchema>;
}

export function createComponents(): Components {
  const byName = new Map<string, JsonSchema>();

  function add(name: string, schema: JsonSchema): void {
    const known = byName.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw internal(`two different schemas would be named ${name}`);
    }
    byName.set(name, schema);
  }

  function addAll(schemas: Record<string, JsonSchema>): void {
    for (const [name, schema] of Object.entries(schemas)) add(name, schema);
  }

  function addWhole(
    { schema, components }: MessageSchemas,
    desc: DescMessage,
    direction: Direction,
  ): JsonSchema {
    const name = componentName(desc, direction);
    addAll(components);
    add(name, schema);
    return { $ref: refTo(name) };
  }

  return {
    add,
    addAll,
    request: (schemas, desc) => ({
      schema: addWhole(schemas, desc, 'request'),
      required: (schemas.schema.required as string[] | undefined) ?? [],
    }),
    response: (schemas, desc) => addWhole(schemas, desc, 'response'),
    all: () => Object.fromEntries([...byName].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}
