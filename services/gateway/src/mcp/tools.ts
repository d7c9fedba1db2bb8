import type { DescMessage } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { Scope } from '@hearth/proto/options';
import { type Bounds, type Comments, type JsonSchema, jsonSchema } from '@hearth/proto-json';
import { type Callable, createCallable, type FindPeer } from '../calls/module.ts';
import type { Operation } from '../operations/module.ts';
import { mayHoldUntrusted } from './untrusted.ts';

/** A tool as tools/list describes it. */
export interface ToolDescription {
  /** operationId. */
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** A declared operation that is offered as a tool. */
export interface Tool extends Callable {
  /** The type of its arguments, without what only HTTP has a use for. */
  input: DescMessage;
}

/** Fields of requests that mean nothing over MCP: `if` spares a body by its tag, and a tool's result has none. */
export const fieldsOfHttp: readonly string[] = ['if'];

/** The operations that are declared as tools, by name and in the order of declaration. */
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

export interface Deps {
  comments: Comments;
  bounds: Bounds;
}

export function describeTool({ operation, readsOnly }: Tool, deps: Deps): ToolDescription {
  const { desc, id } = operation;
  return {
    name: id,
    title: titleOf(id),
    description: deps.comments.of(desc),
    inputSchema: inputSchemaOf(desc.input, deps),
    annotations: annotationsOf(operation, readsOnly),
  };
}

/** "send_message" as "Send message", "get_ai" as "Get AI". */
function titleOf(id: string): string {
  const words = id.replaceAll('_', ' ').replace(/\bai(s?)\b/, 'AI$1');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The schema of a call's arguments, in one piece: the messages within it stand under $defs. */
function inputSchemaOf(input: DescMessage, { comments, bounds }: Deps): ToolDescription['inputSchema'] {
  const { schema, components } = jsonSchema(input, {
    direction: 'request',
    bounds,
    comments,
    ref: (name) => `#/$defs/${name}`,
    omit: fieldsOfHttp,
  });
  // The description of a request says nothing that the tool's own does not.
  const { description: _, ...own } = schema;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    ...own,
    ...(Object.keys(components).length > 0 && { $defs: components }),
  };
}

/** By what is declared; else by its HTTP method: PUT, PATCH and DELETE take the place of what was there. */
function annotationsOf(
  { bindings, declared, desc }: Operation,
  isGet: boolean,
): ToolDescription['annotations'] {
  const method = bindings[0]?.method;
  const readsOnly = isGet || desc.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  const repeatable = desc.idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN;
  const reachesOthers = !readsOnly && declared.scope !== Scope.READ && declared.scope !== Scope.NOTES;
  return {
    readOnlyHint: readsOnly,
    destructiveHint: declared.destructive ?? (method === 'PUT' || method === 'PATCH' || method === 'DELETE'),
    idempotentHint: repeatable || (method !== 'POST' && method !== 'PATCH'),
    openWorldHint: reachesOthers || mayHoldUntrusted(desc.output),
  };
}
