import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HearthError } from '@hearth/errors';

/** A request and its answer, with facts for logs and metrics. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** operationId, or the name of a page or document. Over MCP it is known only after reading the body. */
  operation: string;
  /** The path template. */
  readonly route: string;
  /** The scopes that the operation needs, for the challenge in a 401. */
  readonly scopes: readonly string[];
  /** Whether the request carried a credential. */
  hadCredential: boolean;
  /** Whether the credential was valid. */
  proven: boolean;
  /** How long the request was held, in milliseconds. */
  heldMs: number;
  /** Headers to send even with a failure. */
  headers: string[];
  /** The error if it failed. */
  error: HearthError | undefined;
}

export function createExchange(
  request: IncomingMessage,
  response: ServerResponse,
  operation: string,
  route: string,
  scopes: readonly string[] = [],
): Exchange {
  return {
    request,
    response,
    operation,
    route,
    scopes,
    hadCredential: false,
    proven: false,
    heldMs: 0,
    headers: [],
    error: undefined,
  };
}
