import type { DescMessage } from '@bufbuild/protobuf';
import { type Comments, type JsonSchema, jsonSchema, loadComments } from '@hearth/proto-json';

/** An event's declaration as text and as a schema. */
export interface EventWords {
  description: string;
  schema: JsonSchema;
}

let comments: Comments | undefined;

/**
 * A message's comment and its self-contained JSON Schema (2020-12), with nested messages under `$defs`. Reads
 * the comments of all declarations on first use (about 20 ms).
 */
export function eventWords(message: DescMessage): EventWords {
  comments ??= loadComments();
  const { schema, components } = jsonSchema(message, {
    direction: 'response',
    // The home's own texts have no limit.
    bounds: new Map(),
    ref: (name) => `#/$defs/${name}`,
    comments,
  });
  return {
    description: comments.of(message),
    schema: { ...schema, ...(Object.keys(components).length > 0 && { $defs: components }) },
  };
}
