import type { DescMessage } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { Scope } from '@hearth/proto/options';
import { type Bounds, type Comments, type JsonSchema, jsonSchema, rulesOf } from '@hearth/proto-json';
import { type Callable, createCallable, type FindPeer } from '../calls/module.ts';
import type { Operation } from '../operations/module.ts';
import { mayHoldUntrusted } from './untrusted.ts';

/** A tool as described by tools/list. */
export interface ToolDescription {
  /** operationId. */
  name: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  annotations: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
}

/** An operation offered as a tool. */
export interface Tool extends Callable {
  /** The type of its arguments, without fields only for HTTP. */
  input: DescMessage;
}

/** Request fields without a use over MCP: `if` needs an ETag, and tool results have none. */
export const fieldsOfHttp: readonly string[] = ['if'];

/** The operations declared as tools, by name, in the order of declaration. */
export function createTools(operations: readonly Operation[], peer: FindPeer): ReadonlyMap<string, Tool> {
  return new Map(
    operations
      .filter(({ declared }) => declared.tool)
      .map((operation) => [
        operation.id,
        { ...createCallable(operation, peer), input: operation.desc.input },
      ]),
  );
}

export interface Texts {
  comments: Comments;
  bounds: Bounds;
}

export function describeTool({ operation, readsOnly }: Tool, texts: Texts): ToolDescription {
  const { desc, id } = operation;
  return {
    name: id,
    // Only OpenAPI has the paragraphs after the first.
    description: texts.comments.of(desc).split('\n', 1)[0] ?? '',
    inputSchema: inputSchemaOf(desc.input, texts),
    annotations: annotationsOf(operation, readsOnly),
  };
}

/**
 * The schema of a call's arguments, with nested messages under $defs. A model reads all of it, each
 * time, so everything that doesn't help a model, or is the same for every tool, is left out.
 */
function inputSchemaOf(input: DescMessage, { comments, bounds }: Texts): ToolDescription['inputSchema'] {
  const { schema, components } = jsonSchema(input, {
    direction: 'request',
    bounds,
    comments,
    ref: (name) => `#/$defs/${name}`,
    omit: input.fields
      .filter((field) => fieldsOfHttp.includes(field.name) || rulesOf(field).apiOnly)
      .map(({ name }) => name),
    terse: true,
  });
  // The tool's description replaces the request's.
  const { description: _, ...own } = schema;
  return { type: 'object', ...own, ...(Object.keys(components).length > 0 && { $defs: components }) };
}

/**
 * Hints from the declaration, or else from the HTTP method: PUT, PATCH and DELETE are destructive. The defaults of the
 * protocol are left out, and so are hints without meaning for a tool that only reads.
 */
function annotationsOf(
  { bindings, declared, desc }: Operation,
  isGet: boolean,
): ToolDescription['annotations'] {
  const method = bindings[0]?.method;
  const readsOnly = isGet || desc.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  const repeatable =
    desc.idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN ||
    (method !== 'POST' && method !== 'PATCH');
  const reachesOthers = !readsOnly && declared.scope !== Scope.READ && declared.scope !== Scope.NOTES;
  const destructive = declared.destructive ?? (method === 'PUT' || method === 'PATCH' || method === 'DELETE');
  return {
    ...(readsOnly ? { readOnlyHint: true } : { destructiveHint: destructive }),
    ...(!readsOnly && repeatable && { idempotentHint: true }),
    ...(!reachesOthers && !mayHoldUntrusted(desc.output) && { openWorldHint: false }),
  };
}
