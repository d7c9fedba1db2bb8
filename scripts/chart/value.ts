/** A JSON Schema of values.schema.json. */
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

/** One value of the chart, or a group of values: values.yaml, its schema and the README's table are made of these. */
export interface Value {
  help: string;
  schema: Schema;
  /** Undefined for a group, which is its members. */
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
/** Texts by name: labels, annotations, variables. */
export const pairs = (help: string, fallback: Record<string, string> = {}): Value =>
  leaf(help, fallback, { type: 'object', additionalProperties: { type: 'string' } });
/** A piece of Kubernetes' own API, which the cluster checks. */
export const piece = (help: string, fallback: unknown = {}): Value =>
  leaf(help, fallback, { type: Array.isArray(fallback) ? 'array' : 'object' });

/** A group of which every member may be missing, so that it says only what differs from another. */
export function override(help: string, members: Record<string, Value>): Value {
  return { ...leaf(help, {}, group(help, members).schema) };
}
