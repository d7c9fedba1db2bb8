import type { HearthError } from '@hearth/errors';
import type { Limits } from '@hearth/limits';
import { callerKindOf, type LimitName, limitFor } from '@hearth/limits';
import type { Caller } from '@hearth/rpc';
import { eventErrorCodes } from '@hearth/webhooks';
import { errorBody } from '../http/module.ts';

/** Error numbers over MCP, from JSON-RPC 2.0 and from events. */
export const errorCodes = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** Refused before reading the message: no credential, or a wrong HTTP method or media type. */
  refused: -32_000,
  ...eventErrorCodes,
} as const;

/** A JSON-RPC error. */
export interface RpcError {
  code: number;
  message: string;
  data?: Record<string, unknown>;
}

/** Additional facts for an error's data. */
export interface Subject {
  /** The kind of thing that was not found. */
  kind?: 'event' | 'subscription';
  caller?: Caller;
}

/** A HearthError as a JSON-RPC error: the text as over REST, and the same members as `data`. */
export function rpcErrorOf(error: HearthError, limits: Limits, subject: Subject = {}): RpcError {
  const { error: message, ...members } = errorBody(error);
  const data = { ...members, ...detailsOf(error, limits, subject) };
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  return {
    code: codeOf(error),
    message,
    ...(given.length > 0 && { data: Object.fromEntries(given) }),
  };
}

function codeOf({ kind, details: { code } }: HearthError): number {
  if (code === 'callback_challenge_failed') return errorCodes.callbackEndpoint;
  if (code === 'cap_reached') return errorCodes.resourceExhausted;
  switch (kind) {
    case 'bad_request':
      return code === 'bad_json' ? errorCodes.parse : errorCodes.invalidParams;
    case 'not_found':
      return errorCodes.notFound;
    case 'forbidden':
      return errorCodes.forbidden;
    case 'rate_limited':
      return errorCodes.resourceExhausted;
    case 'not_built':
      return errorCodes.unsupported;
    case 'unauthenticated':
    case 'method_not_allowed':
    case 'too_large':
      return errorCodes.refused;
    default:
      return errorCodes.internal;
  }
}

function detailsOf(error: HearthError, limits: Limits, { kind, caller }: Subject): Record<string, unknown> {
  const { limit, reason = 'challenge_failed' } = error.details;
  switch (codeOf(error)) {
    case errorCodes.notFound:
      return { kind };
    case errorCodes.resourceExhausted:
      return { limit, max: maxOf(limit, limits, caller) };
    case errorCodes.callbackEndpoint:
      return { reason };
    default:
      return {};
  }
}

function maxOf(limit: string | undefined, limits: Limits, caller: Caller | undefined): number | undefined {
  if (limit === undefined || !Object.hasOwn(limits, limit)) return undefined;
  const kind = caller === undefined ? 'anyone' : callerKindOf(caller);
  return kind === undefined ? undefined : (limitFor(limits, limit as LimitName, kind) ?? undefined);
}

/** A protocol error, with a number of the table above. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly code: number;
  readonly data: Record<string, unknown> | undefined;
  /** The HTTP status, if refused before reading the message. */
  readonly status: number;

  constructor({ code, message, data }: RpcError, status = 400) {
    super(message);
    this.code = code;
    this.data = data;
    this.status = status;
  }
}

/** @param field the invalid param, if any */
export function invalidParams(message: string, field?: string): McpError {
  const data = field === undefined ? {} : { data: { code: 'bad_field', field } };
  return new McpError({ code: errorCodes.invalidParams, message, ...data });
}
