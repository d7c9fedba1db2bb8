import { getOption } from '@bufbuild/protobuf';
import { each_tool } from '@hearth/proto/options';
import { type Comments, firstSentence, nearest } from '@hearth/proto-json';
import { invalidParams, type McpError } from './error-codes.ts';
import { isRecord } from './event-params.ts';
import type { Tool, ToolDescription } from './tools.ts';

/**
 * A model reads every tool that is listed, each time. Those of services that not every AI needs are therefore listed as one
 * for each service: `{operation, arguments}`, and without an operation it answers the descriptions of its tools. Those declared
 * `own_tool` are listed by themselves, and the group takes them too.
 */
export interface ToolGroup {
  name: string;
  /** At least two, in the order of declaration. */
  tools: readonly [Tool, ...Tool[]];
}

/** The tool that a call means, with its arguments; the group whose tools it asks about; or why it means nothing. */
export type Meant = { tool: Tool; given: unknown } | { group: ToolGroup } | { refusal: McpError };

/** The groups by the name of the one tool: `notes_tools`. */
export function groupTools(tools: Iterable<Tool>): ReadonlyMap<string, ToolGroup> {
  const byName = Map.groupBy(tools, ({ operation }) => `${operation.tag}_tools`);
  const groups = new Map<string, ToolGroup>();
  for (const [name, [first, ...others]] of byName) {
    if (first === undefined || others.length === 0 || getOption(first.operation.desc.parent, each_tool))
      continue;
    groups.set(name, { name, tools: [first, ...others] });
  }
  return groups;
}

/** The meaning of the params of tools/call. */
export function readCall(
  params: unknown,
  tools: ReadonlyMap<string, Tool>,
  groups: ReadonlyMap<string, ToolGroup>,
): Meant {
  const { name: called, arguments: all } = isRecord(params) ? params : {};
  const name = asText(called);
  const tool = tools.get(name);
  if (tool !== undefined) return { tool, given: all };
  const group = groups.get(name);
  if (group === undefined) return { refusal: invalidParams(unknownTool(name, tools.keys())) };
  const { operation, arguments: given, ...others } = isRecord(all) ? all : {};
  const [field] = Object.keys(others);
  if (field !== undefined) {
    const words = `${group.name} takes operation and arguments, in which the fields of the operation stand`;
    return { refusal: invalidParams(`${field.slice(0, 100)}: ${words}`, field.slice(0, 100)) };
  }
  if (operation === undefined || operation === null) return { group };
  const meant = group.tools.find(({ operation: { id } }) => id === operation);
  if (meant === undefined)
    return { refusal: invalidParams(unknownOperation(asText(operation), group), 'operation') };
  return { tool: meant, given: given ?? undefined };
}

/** Whether the tool is listed as part of its group. */
export const isListedInGroup = ({ operation: { declared } }: Tool): boolean => !declared.ownTool;

/** As one tool, with those operations that are `open` to the caller. */
export function describeGroup(
  { name, tools: [first] }: ToolGroup,
  open: readonly Tool[],
  described: readonly ToolDescription[],
  comments: Comments,
): ToolDescription {
  const hints = described.map(({ annotations }) => annotations);
  return {
    name,
    description: `${firstSentence(comments.of(first.operation.desc.parent))} Without operation: what each takes.`,
    inputSchema: {
      type: 'object',
      properties: {
        operation: { type: 'string', enum: open.map(({ operation }) => operation.id) },
        arguments: { type: 'object' },
      },
    },
    annotations: hints.every(({ readOnlyHint }) => readOnlyHint)
      ? { readOnlyHint: true }
      : { destructiveHint: hints.some(({ destructiveHint }) => destructiveHint) },
  };
}

/** A caller may send anything in the place of a name, also an object whose toString is no function. */
const asText = (name: unknown): string => (typeof name === 'string' ? name : (JSON.stringify(name) ?? ''));

function unknownTool(name: string, known: Iterable<string>): string {
  const near = nearest(name, [...known]);
  const hint = near === null ? 'tools/list has them all' : `did you mean ${near}?`;
  return `there is no tool of the name "${name.slice(0, 100)}"; ${hint}`;
}

function unknownOperation(operation: string, { name, tools }: ToolGroup): string {
  const ids = tools.map(({ operation: { id } }) => id);
  const near = nearest(operation, ids);
  const hint = near === null ? `it has ${ids.join(', ')}` : `did you mean ${near}?`;
  return `operation: ${name} has none of the name "${operation.slice(0, 100)}"; ${hint}`;
}
