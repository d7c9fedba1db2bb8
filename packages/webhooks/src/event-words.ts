import type { DescMessage } from '@bufbuild/protobuf';
import { type Comments, type JsonSchema, jsonSchema, loadComments } from '@hearth/proto-json';

/** The declaration of an event in words and as a schema. */
export interface EventWords {
  description: string;
  schema: JsonSchema;
}

let comments: Comments | undefined;

/**
 * The comment of a message, and its JSON Schema (2020-12), whole by itself: what it holds is under `$defs`.
 * The comments of all declarations are read at the first call (about 20 ms).
 */
export function eventWords(message: DescMessage): EventWords {
  comments ??= loadComments();
  const { schema, components } = jsonSchema(message, {
    direction: 'response',
    // Texts by the home itself have no limit.
    bounds: new Map(),
    ref: (name) => `#/$defs/${name}`,
    comments,
  });
  return {
    description: comments.of(message),
    schema: { ...schema, ...(Object.keys(components).length > 0 && { $defs: components }) },
  };
}
