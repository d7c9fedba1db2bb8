import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HearthError } from '@hearth/errors';

/** One request and its answer, with what is to be noted of them. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** operationId, or the name of a page or document. Over MCP it is known once the body is read. */
  operation: string;
  /** The path with its parameters unfilled. */
  readonly route: string;
  /** The scopes that the operation needs, for the challenge of a 401. */
  readonly scopes: readonly string[];
  /** Whether the request carried a credential. */
  hadCredential: boolean;
  /** Whether the credential was found to work. */
  proven: boolean;
  /** How long the answer waited for something to happen, in milliseconds. */
  heldMs: number;
  /** Headers that go out with a failure as well. */
  headers: string[];
  /** Why it failed. */
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
