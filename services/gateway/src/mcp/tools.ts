import type { DescMessage } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { Scope } from '@hearth/proto/options';
import { type Bounds, type Comments, type JsonSchema, jsonSchema, rulesOf } from '@hearth/proto-json';
import { type Callable, createCallable, type FindPeer } from '../calls/module.ts';
import type { Operation } from '../operations/module.ts';
import { mayHoldUntrusted } from './untrusted.ts';

/** A tool as tools/list describes it. */
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

export interface Texts {
  comments: Comments;
  bounds: Bounds;
}

export function describeTool({ operation, readsOnly }: Tool, texts: Texts): ToolDescription {
  const { desc, id } = operation;
  return {
    name: id,
    // The paragraphs after the first stand in the OpenAPI document alone.
    description: texts.comments.of(desc).split('\n', 1)[0] ?? '',
    inputSchema: inputSchemaOf(desc.input, texts),
    annotations: annotationsOf(operation, readsOnly),
  };
}

/**
 * The schema of a call's arguments, in one piece: the messages within it stand under $defs. A model reads all of it, each
 * time: what says nothing to a model, or the same for every tool, is left out.
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
  // The description of a request says nothing that the tool's own does not.
  const { description: _, ...own } = schema;
  return { type: 'object', ...own, ...(Object.keys(components).length > 0 && { $defs: components }) };
}

/**
 * By what is declared; else by its HTTP method: PUT, PATCH and DELETE take the place of what was there. The defaults of the
 * protocol are left out, and hints that mean nothing of a tool that reads.
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
