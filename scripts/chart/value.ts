/** A JSON Schema, as in values.schema.json. */
export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: readonly unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  required?: string[];
}

/** A chart value, or a group of values: values.yaml, its schema and the README's table are generated from these. */
export interface Value {
  help: string;
  schema: Schema;
  /** Undefined for a group, which consists of its members. */
  default?: unknown;
  members?: Record<string, Value>;
}

export function group(help: string, members: Record<string, Value>): Value {
  const properties = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, value.schema]));
  return {
    help,
    members,
    schema: { type: 'object', description: help, properties, additionalProperties: false },
  };
}

const leaf = (help: string, fallback: unknown, schema: Schema): Value => ({
  help,
  default: fallback,
  schema: { description: help, ...schema },
});

export const text = (help: string, fallback = '', pattern?: string): Value =>
  leaf(help, fallback, { type: 'string', ...(pattern && { pattern }) });
export const flag = (help: string, fallback: boolean): Value => leaf(help, fallback, { type: 'boolean' });
export const whole = (help: string, fallback: number, minimum: number, maximum: number): Value =>
  leaf(help, fallback, { type: 'integer', minimum, maximum });
export const oneOf = (help: string, options: readonly string[], fallback: string): Value =>
  leaf(help, fallback, { type: 'string', enum: options });
export const texts = (help: string, fallback: string[] = []): Value =>
  leaf(help, fallback, { type: 'array', items: { type: 'string' } });
/** A map of texts: labels, annotations, variables. */
export const pairs = (help: string, fallback: Record<string, string> = {}): Value =>
  leaf(help, fallback, { type: 'object', additionalProperties: { type: 'string' } });
/** A part of the Kubernetes API, checked by the cluster. */
export const piece = (help: string, fallback: unknown = {}): Value =>
  leaf(help, fallback, { type: Array.isArray(fallback) ? 'array' : 'object' });

/** A group whose members are all optional, so that it only contains what differs from another group. */
export function override(help: string, members: Record<string, Value>): Value {
  return { ...leaf(help, {}, group(help, members).schema) };
}
