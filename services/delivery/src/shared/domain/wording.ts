import type { JsonObject } from '@bufbuild/protobuf';
import { cleanLine } from '@hearth/addresses';

/** Texts as a row has them, in which every value is a clean line. @param words a text, or several by name */
export const wordingOf = (words: object): JsonObject =>
  JSON.parse(JSON.stringify(words), (_, value) => (typeof value === 'string' ? cleanLine(value) : value));
