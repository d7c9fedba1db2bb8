import type { IncomingMessage } from 'node:http';
import { toWebRequest } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  type Implementation,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
  Server,
  type ServerOptions,
  type StandardSchemaV1,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { splitTarget } from '../http/module.ts';
import { type CallTool, resultFrom } from './call-tool.ts';
import { invalidParams } from './error-codes.ts';
import { refuseCursor } from './event-params.ts';
import { type Events, eventMethods } from './events.ts';
import { readCall, type ToolGroup } from './grouped-tools.ts';
import type { RpcMessage } from './read-message.ts';
import type { Serving } from './serving.ts';
import { createToolList, isOpen } from './tool-list.ts';
import type { Texts, Tool, ToolDescription } from './tools.ts';

/** Speaks the protocol, in either lifecycle: a message in, an answer out, without state between messages. */
export interface Protocol {
  /** Throws McpError for an invalid greeting. */
  answer(request: IncomingMessage, message: RpcMessage, serving: Serving): Promise<Response>;
  close(): Promise<void>;
}

export interface Deps {
  info: Implementation;
  instructions: string;
  tools: ReadonlyMap<string, Tool>;
  groups: ReadonlyMap<string, ToolGroup>;
  texts: Texts;
  callTool: CallTool;
  events: Events;
  onError(error: Error): void;
}

/** How long a client may cache tools and capabilities, which change only with the home's version. */
const keptMs = 300_000;
const extension = 'io.modelcontextprotocol/events';

/**
 * The protocol, spoken by its SDK. A message of revision 2026-07-28 is self-contained; one of 2025-11-25 and
 * before gets a server of its own, without a session.
 */
export function createProtocol(given: Deps): Protocol {
  const deps = { ...given, list: createList(given) };
  const modern = createMcpHandler(({ authInfo }) => createServer(deps, authInfo?.extra?.serving as Serving), {
    legacy: 'reject',
    onerror: deps.onError,
  });
  return {
    async answer(request, message, serving) {
      const webRequest = await toWebRequest(request, message);
      const legacy = await isLegacyRequest(webRequest, message);
      // Revisions without this greeting refuse it.
      if (legacy && message.method === 'initialize' && !isInitializeRequest(message)) {
        throw invalidParams(
          'params: initialize takes protocolVersion, capabilities and clientInfo {name, version}',
        );
      }
      // A client that sends JSON reads JSON, but the SDK requires both types.
      webRequest.headers.set('accept', 'application/json, text/event-stream');
      webRequest.headers.set('content-type', 'application/json');
      return legacy
        ? answerLegacy(webRequest, message, createServer(deps, serving))
        : answerModern(modern, webRequest, message, serving);
    },
    close: () => modern.close(),
  };
}

function answerModern(
  handler: McpHttpHandler,
  request: Request,
  message: unknown,
  serving: Serving,
): Promise<Response> {
  const authInfo = { token: '', clientId: '', scopes: [], extra: { serving } };
  return handler.fetch(request, { parsedBody: message, authInfo });
}

async function answerLegacy(request: Request, message: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    // Explicit, to say that there are no sessions.
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

function createServer(
  { info, instructions, tools, groups, list, callTool, events }: Deps & { list: List },
  serving: Serving,
): Server {
  const server = new Server(info, { ...serverOptions, instructions });
  server.setRequestHandler('tools/list', anything, (params) => {
    refuseCursor(params);
    return { tools: list(serving) };
  });
  server.setRequestHandler('tools/call', ({ params }) => {
    const meant = readCall(params, tools, groups);
    if ('refusal' in meant) throw meant.refusal;
    if ('group' in meant) return resultFrom({ tools: list(serving, meant.group.tools) });
    return callTool(meant.tool, meant.given, serving);
  });
  for (const method of eventMethods) {
    server.setRequestHandler(method, anything, (params) => events.answer(method, params, serving));
  }
  return server;
}

/** Describes the tools that the caller may call: the given ones, or those selected by the endpoint's address. */
type List = (serving: Serving, these?: readonly Tool[]) => ToolDescription[];

function createList({ tools, groups, texts }: Deps): List {
  const all = [...tools.values()];
  const { short, whole } = createToolList(all, groups.values(), texts);
  return (serving, these) => {
    const open = (these ?? all).filter((tool) => isOpen(tool, serving.principal.caller));
    if (these !== undefined) return whole(open);
    const wanted = readWanted(serving, all);
    if (wanted === undefined) return short(open);
    return whole(open.filter(({ operation }) => wanted.includes('all') || wanted.includes(operation.tag)));
  };
}

/**
 * The groups named by the endpoint's address (`/mcp?tools=messages,approvals`), whose tools are listed on their
 * own. Throws McpError for an unknown group.
 */
function readWanted({ exchange }: Serving, tools: readonly Tool[]): string[] | undefined {
  const { query } = splitTarget(exchange.request.url ?? '');
  const wanted = new URLSearchParams(query).get('tools')?.split(',');
  const known = ['all', ...new Set(tools.map(({ operation }) => operation.tag))];
  const unknown = wanted?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const words = `there is no group of tools "${unknown.slice(0, 100)}"; there are ${known.join(', ')}`;
    throw invalidParams(`tools: ${words}`, 'tools');
  }
  return wanted;
}

const serverOptions: ServerOptions = {
  capabilities: {
    tools: {},
    extensions: { [extension]: {} },
    // For clients from before it was an extension.
    events: {},
  } as ServerOptions['capabilities'] & object,
  cacheHints: {
    // Depends on the caller's permissions.
    'tools/list': { ttlMs: keptMs, cacheScope: 'private' },
    'server/discover': { ttlMs: keptMs, cacheScope: 'public' },
  },
  // No answers of clients need validation, and the default validator is costly to create.
  jsonSchemaValidator: {
    getValidator: () => {
      throw new Error('no client is asked for input');
    },
  },
};

type Params = Record<string, unknown>;

/** Accepts any params: the methods read them and report errors in their own words. */
const anything: { params: StandardSchemaV1<unknown, Params> } = {
  params: {
    '~standard': { version: 1, vendor: 'hearth', validate: (value) => ({ value: value as Params }) },
  },
};
