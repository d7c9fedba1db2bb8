import { getOption } from '@bufbuild/protobuf';
import { each_tool } from '@hearth/proto/options';
import { type Comments, firstSentence, nearest } from '@hearth/proto-json';
import { invalidParams, type McpError } from './error-codes.ts';
import { isRecord } from './event-params.ts';
import type { Tool, ToolDescription } from './tools.ts';

/**
 * A model reads every listed tool, each time. So the tools of services that not every AI needs are listed as one tool per
 * service: `{operation, arguments}`. Without an operation it returns the descriptions of its tools. Tools declared
 * `own_tool` are listed on their own, and the group accepts them too.
 */
export interface ToolGroup {
  name: string;
  /** At least two, in the order of declaration. */
  tools: readonly [Tool, ...Tool[]];
}

/** The called tool with its arguments; or the group whose tools are requested; or a refusal. */
export type Meant = { tool: Tool; given: unknown } | { group: ToolGroup } | { refusal: McpError };

/** The groups by the name of their tool: `notes_tools`. */
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

/** Interprets the params of tools/call. */
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

/** Describes a group as one tool, with the operations `open` to the caller. */
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

/** Makes text of anything sent as a name, even of an object whose toString is no function. */
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
