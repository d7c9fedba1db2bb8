import type { JsonObject } from '@bufbuild/protobuf';
import { cleanLine } from '@hearth/addresses';

/** Returns texts in their stored form, with every value cleaned to one line. @param words a text, or several by name */
export const wordingOf = (words: object): JsonObject =>
  JSON.parse(JSON.stringify(words), (_, value) => (typeof value === 'string' ? cleanLine(value) : value));
