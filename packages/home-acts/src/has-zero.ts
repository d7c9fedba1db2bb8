import type { JsonObject } from '@hearth/signing';

/** Postgres keeps no text with U+0000, which stands as its escape in JSON. */
export const hasZero = (json: JsonObject) => /(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(json));
