import type { IncomingMessage, ServerResponse } from 'node:http';
import { forbidden, type HearthError, isHearthError, unauthenticated } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import { Via } from '@hearth/proto/common/v1/caller';
import { RateClass } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { paths } from '@hearth/web';
import type { Callable } from '../calls/module.ts';
import { type Authenticate, type Principal, scopeName } from '../credentials/module.ts';
import {
  type Connections,
  createExchange,
  type Exchange,
  errorHead,
  type Guard,
  methodNotAllowed,
  type Observe,
  preflightHeaders,
  type ShowFailure,
  sendEmpty,
  sendJson,
  sendLongJson,
  splitTarget,
} from '../http/module.ts';
import type { Rates } from '../limits/module.ts';
import { McpError, type RpcError, rpcErrorOf } from './error-codes.ts';
import type { Protocol } from './protocol.ts';
import { checkArguments, idOf, type RpcMessage, readMessage } from './read-message.ts';

export interface Deps {
  guard: Guard;
  authenticate: Authenticate;
  rates: Pick<Rates, 'spend' | 'spendAnswer' | 'spendBody'>;
  /** The operation that a message calls, if any. */
  callableOf(message: RpcMessage): Callable | undefined;
  /** Loaded on first use. */
  protocol(): Promise<Protocol>;
  connections: Connections;
  showFailure: ShowFailure;
  observe: Observe;
}

/** Answers requests to the endpoint; returns false for others. */
export type Endpoint = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The scopes that a client requests by default, like an AI whose owner chose none. */
const usualScopes = ['read', 'message'];
const methods = ['POST', 'OPTIONS'];

/**
 * Serves {site_url}/mcp: checks host and origin, credential, message and scope, then answers by the protocol. An earlier
 * refusal is an HTTP error with a JSON-RPC error as its body.
 */
export function createEndpoint(host: Pick<Host, 'clock' | 'config' | 'limits'>, deps: Deps): Endpoint {
  const { clock, limits } = host;
  const { siteUrl } = host.config;
  const maxBodyBytes = sizeOf(limits, 'body_bytes');
  const { guard, rates, callableOf, protocol, connections, showFailure, observe } = deps;
  const resourceMetadata = `${siteUrl}/.well-known/oauth-protected-resource${paths.mcp}`;

  async function authenticate(exchange: Exchange): Promise<Principal> {
    const { caller, credential } = await deps.authenticate(exchange);
    if (credential === undefined) throw unauthenticated(signInFirst(siteUrl));
    return { caller: overMcp(caller), credential };
  }

  async function answer(exchange: Exchange, message: RpcMessage, principal: Principal): Promise<void> {
    const callable = callableOf(message);
    if (callable !== undefined) {
      exchange.operation = callable.operation.id;
      checkScopes(callable, principal.caller);
    }
    // Operations are counted on their own.
    if (callable === undefined || message.id === undefined) {
      await rates.spend(RateClass.READ, principal.caller, exchange);
    }
    const answered = await (await protocol()).answer(exchange.request, message, { principal, exchange });
    const text = await answered.text();
    await rates.spendAnswer(principal.caller, exchange, text.length);
    // Draining can have begun while the request was held.
    if (connections.draining) exchange.response.shouldKeepAlive = false;
    send(exchange, answered, text);
  }

  function send(
    { request, response, headers }: Exchange,
    { status, headers: own }: Response,
    text: string,
  ): void {
    const all = [...headers, ...guard.headersFor(request)];
    if (text === '') return void sendEmpty(response, status, ['Content-Length', '0', ...all]);
    const type = own.get('content-type') ?? '';
    if (type.startsWith('application/json')) return void sendLongJson(response, status, text, all);
    if (response.headersSent || response.destroyed) return;
    response.writeHead(status, ['Content-Type', type, 'Cache-Control', 'no-store', ...all]);
    response.end(text);
  }

  function refuse(
    exchange: Exchange,
    thrown: unknown,
    { message, caller }: { message?: RpcMessage; caller?: Caller },
  ): void {
    const { status, headers, error } =
      thrown instanceof McpError
        ? { status: thrown.status, headers: [], error: partsOf(thrown) }
        : headOf(exchange, showFailure(exchange, thrown), caller);
    const body = JSON.stringify({ jsonrpc: '2.0', id: idOf(message), error });
    const all = [...headers, ...exchange.headers, ...guard.headersFor(exchange.request)];
    sendJson(exchange.response, status, body, all);
  }

  function headOf({ hadCredential, scopes }: Exchange, error: HearthError, caller: Caller | undefined) {
    const around = { resourceMetadata, scopes, now: clock.now(), hadCredential };
    return { ...errorHead(error, around), error: rpcErrorOf(error, limits, caller && { caller }) };
  }

  async function serve(exchange: Exchange): Promise<void> {
    const known: Parameters<typeof refuse>[2] = {};
    try {
      const { request, response } = exchange;
      guard.check(request);
      if (request.method === 'OPTIONS') {
        const cors = guard.headersFor(request);
        const preflight = cors.length === 0 ? [] : [...cors, ...preflightHeaders];
        return void sendEmpty(response, 204, ['Allow', methods.join(', '), ...preflight]);
      }
      if (request.method !== 'POST') throw methodNotAllowed(request.method, methods);
      const principal = await authenticate(exchange);
      known.caller = principal.caller;
      const message = await readMessage(request, maxBodyBytes, (bytes) =>
        rates.spendBody(principal.caller, exchange, bytes),
      );
      known.message = message;
      checkArguments(message);
      await answer(exchange, message, principal);
    } catch (thrown) {
      refuse(exchange, thrown, known);
    }
  }

  return (request, response) => {
    if (!isMcp(request)) return false;
    const exchange = createExchange(request, response, 'mcp', paths.mcp, usualScopes);
    void observe(exchange, () => serve(exchange));
    return true;
  };
}

/** Whether a request is to the endpoint, with or without a trailing slash. */
export function isMcp({ url }: Pick<IncomingMessage, 'url'>): boolean {
  const { path } = splitTarget(url ?? '');
  return path === paths.mcp || path === `${paths.mcp}/`;
}

function partsOf({ code, message, data }: McpError): RpcError {
  return { code, message, ...(data !== undefined && { data }) };
}

const overMcpOf = new WeakMap<Caller, Caller>();

/** Marks a program's actions as MCP; an app's or a browser's keep their own mark. */
function overMcp(caller: Caller): Caller {
  if (caller.via !== Via.API) return caller;
  let own = overMcpOf.get(caller);
  if (own === undefined) {
    own = { ...caller, via: Via.MCP };
    overMcpOf.set(caller, own);
  }
  return own;
}

/**
 * Throws forbidden if the client must ask the person for more scopes, which it learns from the HTTP status. The error
 * names all scopes, including those it has, because the new sign-in replaces the old one. Other refusals of operations
 * are results.
 */
function checkScopes(callable: Callable, caller: Caller): void {
  try {
    callable.check(caller);
  } catch (error) {
    const missing = isHearthError(error) ? error.details.scopes : undefined;
    if (missing === undefined) return;
    const scopes = [...new Set([...caller.scopes.map(scopeName), ...missing])];
    throw forbidden((error as HearthError).message, { scopes });
  }
}

function signInFirst(siteUrl: string): string {
  return (
    'sign in first: send your key as "Authorization: Bearer <key>", or sign in with OAuth by the challenge of this ' +
    `answer; an AI that has neither gets a key with POST ${siteUrl}/v0/agents {"name": "..."}`
  );
}
