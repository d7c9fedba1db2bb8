import { type Answered, type Asking, ask } from '../support/request.ts';

/** Sends an MCP request, as a client of one lifecycle does. */
export type Rpc = (method: string, params?: Record<string, unknown>, asking?: Asking) => Promise<Answered>;

export interface Result {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

const revision = '2026-07-28';

const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Revision 2025-11-25 and before: a message, without a session. */
export function legacy(url: string, key: string, query = ''): Rpc {
  return (method, params, asking = {}) =>
    ask(url, `/mcp${query}`, {
      key,
      ...asking,
      body: { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) },
      headers: { 'content-type': 'application/json', ...asking.headers },
    });
}

/** Revision 2026-07-28: each message is self-contained, and headers repeat its method and name. */
export function modern(url: string, key: string, query = ''): Rpc {
  return (method, params = {}, asking = {}) =>
    ask(url, `/mcp${query}`, {
      key,
      ...asking,
      body: { jsonrpc: '2.0', id: 'a', method, params: { ...params, _meta: envelope } },
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        'mcp-method': method,
        ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
        ...asking.headers,
      },
    });
}

export const lifecycles = [
  ['2025-11-25', legacy],
  [revision, modern],
] as const;

/** The result of tools/call; fails on a protocol error. */
export async function callTool(rpc: Rpc, name: string, given: object = {}, asking?: Asking) {
  const { json } = await rpc('tools/call', { name, arguments: given }, asking);
  const { result } = json as Result;
  if (result === undefined) throw new Error(`no result: ${JSON.stringify(json)}`);
  return result as {
    content: { type: string; text: string }[];
    structuredContent: Record<string, unknown>;
    isError?: boolean;
  };
}

export function errorOf(answered: Answered): NonNullable<Result['error']> {
  const { error } = answered.json as Result;
  if (error === undefined) throw new Error(`no error: ${answered.text}`);
  return error;
}
