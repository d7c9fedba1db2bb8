/** A JSON value allowed in signed objects. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** `undefined` members count as absent, as JSON.stringify treats them. */
export interface JsonObject {
  [member: string]: JsonValue | undefined;
}

/** The deepest nesting in anything signed; the outermost object or array is depth 1. */
export const maxSignedDepth = 32;

/** Prints the path of a value in its document (`$.answers[2].note`), for error messages. */
export function printPath(path: readonly (string | number)[]): string {
  let text = '$';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_][A-Za-z0-9_]{0,60}$/.test(step)) text += `.${step}`;
    else text += `[${JSON.stringify(step.slice(0, 60))}]`;
  }
  return text;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
