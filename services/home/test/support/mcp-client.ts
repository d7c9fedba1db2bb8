import {
  Client,
  type OAuthClientProvider,
  type StandardSchemaV1,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** The MCP lifecycles that clients speak. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;

export type Revision = (typeof revisions)[number];

/** A tools/call result. */
export interface ToolAnswer {
  content: { type: string; text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape.
  structuredContent: any;
  isError?: boolean;
}

/** An MCP client that knows nothing of the home. */
export interface McpClient {
  client: Client;
  transport: StreamableHTTPClientTransport;
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Calls any method; returns the result unchanged. */
  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface McpClientOptions {
  site: string;
  revision: Revision;
  /** An AI's key, or a token. */
  key?: string;
  /** Signs the person in, if there is no key. */
  authProvider?: OAuthClientProvider;
}

/** Connects; rejects as the client library does. */
export async function connectMcp(options: McpClientOptions): Promise<McpClient> {
  const made = makeMcp(options);
  await made.client.connect(made.transport);
  return made;
}

export function makeMcp({ site, revision, key, authProvider }: McpClientOptions): McpClient {
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${site}/mcp`), {
    ...(key !== undefined && { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
    ...(authProvider !== undefined && { authProvider }),
  });
  return {
    client,
    transport,
    call: async (name, given = {}) =>
      (await client.callTool({ name, arguments: given })) as unknown as ToolAnswer,
    request: (method, params) => client.request({ method, ...(params && { params }) }, anything),
    close: () => client.close(),
  };
}

/** Accepts any result. */
const anything: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => ({ value: value as Record<string, unknown> }),
  },
};
