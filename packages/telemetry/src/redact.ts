import { type SerialisedError, serialiseError } from './serialise-error.ts';

const hidden = '[redacted]';
const maxDepth = 8;
const maxItems = 100;

// Matches whole names and endings: `connector_key`, `operatorKey`, `x-api-key`, `refresh_token`, `Set-Cookie`.
const sensitiveName = /(^|[_-])(key|secret|password|passphrase|token|authorization|cookie|body)$/i;
const sensitiveCamelCase = /[a-z](Key|Secret|Password|Passphrase|Token|Authorization|Cookie|Body)$/;

const decided = new Map<string, boolean>();

/** Whether a member with that name may hold a secret, or text that people wrote to each other. */
function isSensitive(name: string): boolean {
  let answer = decided.get(name);
  if (answer === undefined) {
    answer = sensitiveName.test(name) || sensitiveCamelCase.test(name);
    if (decided.size < 1_000) decided.set(name, answer);
  }
  return answer;
}

/**
 * A copy of log fields that is safe to write: sensitive members redacted at any depth, credentials in URLs hidden,
 * bytes counted, errors serialised (`withStack`: with stack and causes).
 */
export function redactFields(fields: object, withStack: boolean): Record<string, unknown> {
  return copyMembers(fields, withStack, 0);
}

function copyMembers(source: object, withStack: boolean, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined) continue;
    copy[name] = isSensitive(name) ? hidden : copyValue(value, withStack, depth + 1);
  }
  return copy;
}

function copyValue(value: unknown, withStack: boolean, depth: number): unknown {
  if (typeof value === 'string') return hideCredentials(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return copyError(serialiseError(value, withStack));
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth > maxDepth) return '[deeper]';
  if (hasToJson(value)) return copyJson(value.toJSON(), withStack, depth);
  if (Array.isArray(value)) return copyItems(value, withStack, depth);
  if (value instanceof Set) return copyItems([...value], withStack, depth);
  if (value instanceof Map) return copyMembers(Object.fromEntries(value), withStack, depth);
  return copyMembers(value, withStack, depth);
}

function copyItems(items: readonly unknown[], withStack: boolean, depth: number): unknown[] {
  const copy = items.slice(0, maxItems).map((item) => copyValue(item, withStack, depth + 1));
  if (items.length > maxItems) copy.push(`[${items.length - maxItems} more]`);
  return copy;
}

function copyJson(json: unknown, withStack: boolean, depth: number): unknown {
  return copyValue(json, withStack, depth + 1);
}

function copyError(error: SerialisedError): SerialisedError {
  return copyMembers(error, false, 0) as unknown as SerialisedError;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** `postgres://user:pass@host` without user and password. */
function hideCredentials(text: string): string {
  return text.includes('://') ? text.replaceAll(/:\/\/[^/\s?#@]+@/g, `://${hidden}@`) : text;
}
