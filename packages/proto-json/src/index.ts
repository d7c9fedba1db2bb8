export { readMessage, type ReadOptions } from './read/read-message.ts';
export { writeJson, writeMessage, type JsonRecord } from './write/write-message.ts';
export { readBody, readQuery, type PathParams, type QueryInput } from './query.ts';
export { cleanLine, cleanLines, countCharacters, hasControlCharacters } from './text.ts';
export { parseTimestamp, printTimestamp } from './timestamp.ts';
export { enumWords, type EnumWords } from './enum-words.ts';
export { rulesOf } from './field-rules.ts';
export { unknownField } from './read/refuse.ts';
export { nearest } from './nearest.ts';
export { loadComments, type Comments } from './schema/comments.ts';
export {
  componentName,
  fieldSchema,
  jsonSchema,
  type Direction,
  type JsonSchema,
  type MessageSchemas,
  type SchemaOptions,
} from './schema/json-schema.ts';
