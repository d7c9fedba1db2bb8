import type { DescField } from '@bufbuild/protobuf';
import { CallerKind } from '@hearth/proto/options';
import { fieldSchema, type JsonSchema, type SchemaOptions } from '@hearth/proto-json';
import { actingForHeader } from '../credentials/module.ts';
import type { Binding, Operation } from '../operations/module.ts';
import type { Components } from './components.ts';

/** An operation's path parameters, its query parameters if it has no body, and its headers. */
export function parametersOf(
  { declared, desc }: Operation,
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
  if (takesActingFor(declared.callers)) parameters.push(actingFor);
  return parameters;
}

/** Apps act for AIs in operations for AIs, and for people in operations for both apps and people. */
function takesActingFor(callers: readonly CallerKind[]): boolean {
  return (
    callers.includes(CallerKind.AI) ||
    (callers.includes(CallerKind.APP) && callers.includes(CallerKind.PERSON))
  );
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
  description: 'Same as request_id.',
  required: false,
  schema: { type: 'string', pattern: '^"?[A-Za-z0-9_.:-]{1,64}"?$' },
};

const actingFor: JsonSchema = {
  name: actingForHeader,
  in: 'header',
  description:
    "For apps: the person for whom the app acts, or an AI of that person. With an AI, that AI's permissions apply.",
  required: false,
  schema: { type: 'string', pattern: '^(?:per|ai)_[0-9a-f]{32}$' },
};
