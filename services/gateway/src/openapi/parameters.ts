import type { DescField } from '@bufbuild/protobuf';
import { fieldSchema, type JsonSchema, type SchemaOptions } from '@hearth/proto-json';
import type { Binding, Operation } from '../operations.ts';
import type { Components } from './components.ts';

/** The parameters of an operation's path, of its query when it takes no body, and the idempotency header. */
export function parametersOf(
  { desc }: Operation,
  { hasBody }: Binding,
  inPath: readonly string[],
  options: SchemaOptions,
  components: Components,
): JsonSchema[] {
  const parameters: JsonSchema[] = [];
  for (const field of desc.input.fields) {
    const isPath = inPath.includes(field.name);
    if (isPath || !hasBody) parameters.push(parameterOf(field, isPath, options, components));
  }
  if (desc.input.fields.some((field) => field.name === 'request_id')) parameters.push(idempotencyKey);
  return parameters;
}

function parameterOf(
  field: DescField,
  isPath: boolean,
  options: SchemaOptions,
  components: Components,
): JsonSchema {
  const { schema, required, components: found } = fieldSchema(field, options);
  components.addAll(found);
  const { description, ...rest } = schema;
  return {
    name: field.name,
    in: isPath ? 'path' : 'query',
    ...(description !== undefined && { description }),
    required: isPath || required,
    schema: rest,
  };
}

const idempotencyKey: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same as request_id.',
  required: false,
  schema: { type: 'string', pattern: '^"?[A-Za-z0-9_.:-]{1,64}"?$' },
};
