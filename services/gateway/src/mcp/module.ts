import { loadComments, type Reader } from '@hearth/proto-json';
import type { Host } from '@hearth/runtime';
import { type CallsDeps, createCalls } from '../calls/module.ts';
import { type Connections, createShowFailure, type Guard, type Observe } from '../http/module.ts';
import type { Operation } from '../operations/module.ts';
import { createCallTool } from './call-tool.ts';
import { createEndpoint, type Endpoint } from './endpoint.ts';
import { createEvents, type EventMethod, eventMethods } from './events.ts';
import { groupTools, readCall } from './grouped-tools.ts';
import { instructionsFor } from './instructions.ts';
import type { Protocol } from './protocol.ts';
import { createToolWords } from './tool-words.ts';
import { createTools } from './tools.ts';

export { isMcp } from './endpoint.ts';

/** The dependencies that calls over MCP share with calls over REST, and the home's own. */
export interface Deps extends CallsDeps {
  guard: Guard;
  operations: readonly Operation[];
  reader: Reader;
  connections: Connections;
  observe: Observe;
}

/** The home's MCP endpoint: its operations as tools, and the events that wake AIs. */
export function startMcp(
  host: Pick<Host, 'clock' | 'config' | 'ids' | 'limits' | 'log' | 'onStop' | 'peer'>,
  deps: Deps,
): Endpoint {
  const { config, limits, log, peer } = host;
  const { home, siteUrl } = config;
  const { authenticate, connections, guard, observe, operations, rates, reader } = deps;
  const showFailure = createShowFailure(host);
  const calls = createCalls(deps);
  const tools = createTools(operations, peer);
  const toolWords = createToolWords([...tools.values()].map(({ operation }) => operation));
  const groups = groupTools(tools.values());
  const callTool = createCallTool({ calls, reader, showFailure, toolWords });
  const events = createEvents({ peer, calls, reader, limits, showFailure });
  let loading: Promise<Protocol> | undefined;

  async function load(): Promise<Protocol> {
    const { createProtocol } = await import('./protocol.ts');
    return createProtocol({
      info: { name: 'hearth', title: `Hearth: ${home}`, version: '0.1.0', websiteUrl: siteUrl },
      instructions: instructionsFor(home),
      tools,
      groups,
      texts: { comments: loadComments(), bounds: reader.bounds },
      callTool,
      events,
      onError: (err) => log.debug({ err }, 'a message over MCP was refused'),
    });
  }

  host.onStop(async () => (await loading)?.close());
  return createEndpoint(host, {
    guard,
    authenticate,
    rates,
    callableOf({ method, params }) {
      if (method === 'tools/call') {
        const meant = readCall(params, tools, groups);
        return 'tool' in meant ? meant.tool : undefined;
      }
      return isEventMethod(method) ? events.callableOf(method) : undefined;
    },
    // Loaded on first use, because neither the start nor an idle home needs the library.
    protocol() {
      loading ??= load();
      return loading;
    },
    connections,
    showFailure,
    observe,
  });
}

function isEventMethod(method: unknown): method is EventMethod {
  return eventMethods.includes(method as EventMethod);
}
