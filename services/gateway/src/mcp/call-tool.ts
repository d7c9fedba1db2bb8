import { asHearthError, type HearthError } from '@hearth/errors';
import { type JsonRecord, type Reader, readBody, unknownField, writeMessage } from '@hearth/proto-json';
import type { Calls, Question } from '../calls/module.ts';
import { errorBody, type ShowFailure } from '../http/module.ts';
import type { Serving } from './serving.ts';
import { fieldsOfHttp, type Tool } from './tools.ts';
import { partAnswer } from './untrusted.ts';

/** The result of tools/call. */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent: JsonRecord;
  isError?: true;
  [member: string]: unknown;
}

export interface Deps {
  calls: Calls;
  reader: Reader;
  showFailure: ShowFailure;
  /** Replaces routes by the names of their tools. */
  toolWords(words: string): string;
}

export type CallTool = (tool: Tool, given: unknown, serving: Serving) => Promise<ToolResult>;

/**
 * Calls an operation as REST does: permission, rates, reading the arguments, waiting. A failure is a result too, so that
 * the model reads what to do.
 */
export function createCallTool({ calls, reader, showFailure, toolWords }: Deps): CallTool {
  return async (tool, given, { principal, exchange }) => {
    try {
      await calls.admit(tool, principal, exchange);
      const json = readArguments(tool, given);
      const message = reader.readMessage(tool.input, json);
      const question = questionOf(tool.operation.id, json);
      const { answer } = await calls.answer({ callable: tool, principal, exchange, message, question });
      return resultOf(tool, answer.message, toolWords);
    } catch (thrown) {
      return errorResult(showFailure(exchange, asHearthError(thrown)), toolWords);
    }
  };
}

function readArguments({ input }: Tool, given: unknown): JsonRecord {
  const json = withText(readBody(input, given));
  for (const name of fieldsOfHttp) if (Object.hasOwn(json, name)) throw unknownField(name, namesOf(input));
  return json;
}

/** Accepts a decision's number, as in wake-ups, instead of its id, which is the same number as text. */
function withText(json: JsonRecord): JsonRecord {
  return Number.isSafeInteger(json.id) ? { ...json, id: String(json.id) } : json;
}

function namesOf({ fields }: Tool['input']): string[] {
  return fields.map(({ name }) => name).filter((name) => !fieldsOfHttp.includes(name));
}

function resultOf(
  { operation }: Tool,
  message: Parameters<typeof writeMessage>[1],
  toolWords: Deps['toolWords'],
): ToolResult {
  const { output } = operation.desc;
  const { own, untrusted } = partAnswer(output, writeMessage(output, message));
  // The home's advice on the next step.
  if (typeof own.next === 'string') own.next = toolWords(own.next);
  return resultFrom(Object.keys(untrusted).length === 0 ? own : { ...own, untrusted });
}

/** The result as text, for clients that read only text. */
export function resultFrom(structuredContent: JsonRecord): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

function errorResult(error: HearthError, toolWords: Deps['toolWords']): ToolResult {
  const words = toolWords(error.message);
  const body = { ...errorBody(error), error: words };
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return {
    content: [{ type: 'text', text: words }],
    structuredContent: Object.fromEntries(given),
    isError: true,
  };
}

/** Bounds the keys of remembered questions, because arguments can have any length. */
const longestQuestion = 500;

/** A tool call as a question: its id and arguments as text. */
function questionOf(id: string, json: JsonRecord): Question {
  const named = (names: string[]): string | undefined => {
    const text = `${id} ${JSON.stringify(names.sort().map((name) => [name, json[name]]))}`;
    return text.length > longestQuestion ? undefined : text;
  };
  return {
    name: () => named(Object.keys(json)),
    series: () => named(Object.keys(json).filter((name) => name !== 'since' && name !== 'wait')),
  };
}
