export { declarationOf } from './declaration.ts';
export { asCameField, type Bounds, jsonNameOf, publicFields, rulesOf } from './field-rules.ts';
export { nearest } from './nearest.ts';
export { readBody, readQuery } from './query.ts';
export { createReader, type Reader, type ReaderOptions } from './read/read-message.ts';
export { unknownField } from './read/refuse.ts';
export { type Comments, loadComments } from './schema/comments.ts';
export {
  componentName,
  type Direction,
  fieldSchema,
  firstSentence,
  type JsonSchema,
  jsonSchema,
  type MessageSchemas,
  type SchemaOptions,
} from './schema/json-schema.ts';
export { parseTimestamp, readTypedTimestamp } from './timestamp.ts';
export { type JsonRecord, writeJson, writeMessage } from './write/write-message.ts';
