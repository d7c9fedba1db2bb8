/** The deepest nesting of messages, lists and free-form JSON, counted from the value being read. */
export const maxDepth = 32;

/** The most characters of a string without a declared `max_length`. */
export const defaultMaxLength = 1_000;

/** The most items of a list, or entries of a map, without a declared `max_items`. */
export const defaultMaxItems = 1_000;

/** The most bytes of free-form JSON (Struct, Value, ListValue) without a declared `max_json_bytes`. */
export const defaultMaxJsonBytes = 16_384;

/** The most characters of a map's key. */
export const maxKeyLength = 100;
