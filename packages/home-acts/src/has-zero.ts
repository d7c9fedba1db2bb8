import type { JsonObject } from '@hearth/signing';

/** Postgres cannot store U+0000 in text; in JSON it appears as an escape. */
export const hasZero = (json: JsonObject) => /(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(json));
