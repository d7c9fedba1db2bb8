import type { JsonSchema } from '@hearth/proto-json';

/** Replacements for names that would shadow JavaScript's own. */
const renamed: Readonly<Record<string, string>> = { Error: 'Refusal', Struct: 'JsonObject' };
/** The name of the type of a component. */
export const nameOf = (name: string) => renamed[name] ?? name;

/** The subset of JSON Schema that declarations use. */
export interface Shape {
  $ref?: string;
  anyOf?: JsonSchema[];
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  description?: string;
}

/** The exported type of a schema, with its description. */
export function declaration(name: string, schema: JsonSchema): string {
  const type = typeOf(schema, '');
  const declared =
    (schema as Shape).properties === undefined
      ? `type ${nameOf(name)} = ${type};`
      : `interface ${nameOf(name)} ${type}`;
  return `${documented(schema, '')}export ${declared}`;
}

/** @param indent the indentation of its first line */
export function typeOf(schema: JsonSchema, indent: string): string {
  const shape = schema as Shape;
  if (shape.$ref !== undefined) return nameOf(shape.$ref.split('/').at(-1)!);
  if (shape.anyOf !== undefined) return shape.anyOf.map((option) => typeOf(option, indent)).join(' | ');
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return shape.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (shape.type === undefined) return 'unknown';
  return [shape.type]
    .flat()
    .map((type) => simpleType(type, shape, indent))
    .join(' | ');
}

function simpleType(
  type: string,
  { items, properties, required = [], additionalProperties }: Shape,
  indent: string,
): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${typeOf(items!, indent)})[]`.replace(/^\((\w+)\)/, '$1');
    case 'object': {
      if (properties === undefined)
        return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'}>`;
      const inner = `${indent}  `;
      const fields = Object.entries(properties).map(([name, field]) => {
        const optional = required.includes(name) ? '' : '?';
        const type = `${typeOf(field, inner)}${optional && ' | undefined'}`;
        return `${documented(field, inner)}${inner}${name}${optional}: ${type};\n`;
      });
      return `{\n${fields.join('')}${indent}}`;
    }
    default:
      throw new Error(`no TypeScript type stands for the type "${type}" of JSON Schema`);
  }
}

/** The description as a comment; '' if there is none. */
export function documented(schema: JsonSchema, indent: string): string {
  const { description = '' } = schema as Shape;
  if (description === '') return '';
  const lines = description.replaceAll('*/', '* /').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
