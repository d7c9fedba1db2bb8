import type { Caller } from '@hearth/rpc';
import { describeGroup, isListedInGroup, type ToolGroup } from './grouped-tools.ts';
import { describeTool, type Texts, type Tool, type ToolDescription } from './tools.ts';

/** Tools as described by tools/list. */
export interface ToolList {
  /** Tools listed on their own. */
  whole(some: readonly Tool[]): ToolDescription[];
  /** Groups as one tool each, at the position of their first tool. */
  short(some: readonly Tool[]): ToolDescription[];
}

export function createToolList(tools: readonly Tool[], groups: Iterable<ToolGroup>, texts: Texts): ToolList {
  const describedOf = new Map(tools.map((tool) => [tool, describeTool(tool, texts)]));
  const groupOf = new Map(
    [...groups].flatMap((group) => group.tools.filter(isListedInGroup).map((tool) => [tool, group] as const)),
  );
  const whole = (some: readonly Tool[]) => some.map((tool) => describedOf.get(tool) as ToolDescription);
  return {
    whole,
    short(some) {
      const parts = Map.groupBy(some, (tool) => groupOf.get(tool) ?? tool);
      return [...parts].flatMap(([part, within]) =>
        'tools' in part ? describeGroup(part, within, whole(within), texts.comments) : whole(within),
      );
    },
  };
}

/** Whether the caller may call it at all. */
export function isOpen(tool: Tool, caller: Caller): boolean {
  try {
    tool.check(caller);
    return true;
  } catch {
    return false;
  }
}
