import { sizeOf } from '@hearth/limits';
import { loadComments, type Reader } from '@hearth/proto-json';
import type { Host } from '@hearth/runtime';
import { type CallsOptions, createCalls } from '../calls/module.ts';
import type { Connections, Observe, ShowFailure } from '../http/module.ts';
import type { Operation } from '../operations/module.ts';
import { createCallTool } from './call-tool.ts';
import { createEndpoint, type Endpoint } from './endpoint.ts';
import { createEvents, type EventMethod, eventMethods } from './events.ts';
import { createGuard } from './guard.ts';
import { instructionsFor } from './instructions.ts';
import type { Protocol } from './protocol.ts';
import { createTools, describeTool } from './tools.ts';

export type { Endpoint } from './endpoint.ts';

export interface McpOptions extends CallsOptions {
  host: Pick<Host, 'peer' | 'config' | 'limits' | 'clock' | 'log'>;
  operations: readonly Operation[];
  reader: Reader;
  connections: Connections;
  showFailure: ShowFailure;
  observe: Observe;
}

export interface Mcp {
  endpoint: Endpoint;
  close(): Promise<void>;
}

/** The home's endpoint for MCP: its operations as tools, and what AIs are woken for as events. */
export function createMcp({
  host,
  operations,
  reader,
  connections,
  showFailure,
  observe,
  ...options
}: McpOptions): Mcp {
  const { clock, config, limits, log, peer } = host;
  const { home, siteUrl } = config;
  const calls = createCalls(options);
  const tools = createTools(operations, peer);
  const callTool = createCallTool({ calls, reader, showFailure });
  const events = createEvents({ peer, calls, reader, limits, showFailure });
  let loading: Promise<Protocol> | undefined;

  async function load(): Promise<Protocol> {
    const { createProtocol } = await import('./protocol.ts');
    const words = { comments: loadComments(), bounds: reader.bounds };
    return createProtocol({
      info: { name: 'hearth', title: `Hearth: ${home}`, version: '0.1.0', websiteUrl: siteUrl },
      instructions: instructionsFor(home),
      tools,
      described: [...tools.values()].map((tool) => describeTool(tool, words)),
      callTool,
      events,
      onError: (err) => log.debug({ err }, 'a message over MCP was refused'),
    });
  }

  const endpoint = createEndpoint({
    siteUrl,
    guard: createGuard({ siteUrl, hosts: config.mcpHosts, origins: config.mcpOrigins }),
    findAsker: options.findAsker,
    rates: options.rates,
    limits,
    maxBodyBytes: sizeOf(limits, 'body_bytes'),
    callableOf({ method, params }) {
      if (method === 'tools/call') return tools.get((params as { name: string } | undefined)?.name ?? '');
      return isEventMethod(method) ? events.callableOf(method) : undefined;
    },
    // Loaded when it is first asked for: a home at rest, and a start, have no need of its library.
    protocol() {
      loading ??= load();
      return loading;
    },
    connections,
    clock,
    showFailure,
    observe,
  });
  return {
    endpoint,
    close: async () => (await loading)?.close(),
  };
}

function isEventMethod(method: unknown): method is EventMethod {
  return eventMethods.includes(method as EventMethod);
}
