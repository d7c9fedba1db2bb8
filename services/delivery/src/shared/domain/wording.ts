import type { JsonObject } from '@bufbuild/protobuf';
import { cleanLine } from '@hearth/addresses';

/**
 * Returns texts in their stored form, with every value cleaned.
 *
 * @param words a text, or several by name
 */
export const wordingOf = (words: object, clean: (value: string) => string = cleanLine): JsonObject =>
  JSON.parse(JSON.stringify(words), (_, value) => (typeof value === 'string' ? clean(value) : value));
