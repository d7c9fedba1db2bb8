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
  /** Names tools in the place of routes. */
  toolWords(words: string): string;
}

export type CallTool = (tool: Tool, given: unknown, serving: Serving) => Promise<ToolResult>;

/**
 * Calls an operation the way that REST does: permission, rates, the reading of what is given, the wait. Whatever goes
 * wrong is a result too, so that whoever called reads what to do.
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

/** Wake-ups name a decision by its number: taken as its id too, which is that number as text. */
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
  // The home's own advice on what to do now.
  if (typeof own.next === 'string') own.next = toolWords(own.next);
  return resultFrom(Object.keys(untrusted).length === 0 ? own : { ...own, untrusted });
}

/** The same as text, for clients that read no more. */
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

/** Arguments can be of any length; what is kept under them must not be. */
const longestQuestion = 500;

/** A call of a tool in text is its arguments. */
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
