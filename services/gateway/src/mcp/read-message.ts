import type { IncomingMessage } from 'node:http';
import { readJsonBody, type WeighBody } from '../http/module.ts';
import { errorCodes, McpError } from './error-codes.ts';
import { isRecord } from './event-params.ts';

/** A JSON-RPC 2.0 message, as far as it is known before the protocol reads it. */
export interface RpcMessage {
  /** Absent in an answer. */
  method?: unknown;
  params?: unknown;
  /** Absent in a notification. */
  id?: unknown;
}

/**
 * Reads the message of a request. Throws McpError for a wrong media type (415), and for anything but one message:
 * neither lifecycle has batches. Throws bad_request and too_large as `readJsonBody` does.
 */
export async function readMessage(
  request: IncomingMessage,
  maxBytes: number,
  weigh: WeighBody,
): Promise<RpcMessage> {
  const type = request.headers['content-type'] ?? '';
  if (type.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
    throw new McpError({ code: errorCodes.refused, message: 'send the message as application/json' }, 415);
  }
  const message = await readJsonBody(request, maxBytes, weigh);
  if (Array.isArray(message)) throw invalidRequest('send one message at a time; there are no batches');
  if (!isRecord(message) || message.jsonrpc !== '2.0') {
    throw invalidRequest(
      'send a message of JSON-RPC 2.0: {"jsonrpc": "2.0", "id": 1, "method": "...", "params": {}}',
    );
  }
  return withoutNull(message);
}

/** Null params and arguments count as absent: languages without `undefined` write them so. */
function withoutNull(message: RpcMessage): RpcMessage {
  const { params, ...others } = message;
  if (params === null) return others;
  if (message.method !== 'tools/call' || !isRecord(params) || params.arguments !== null) return message;
  const { arguments: _, ...rest } = params;
  return { ...others, params: rest };
}

/** Throws McpError unless a tool's arguments are an object; the protocol's library has less helpful words. */
export function checkArguments({ method, params }: RpcMessage): void {
  if (method !== 'tools/call' || !isRecord(params)) return;
  if (params.arguments === undefined || isRecord(params.arguments)) return;
  const words = 'arguments: must be a JSON object that holds the fields of the tool';
  throw new McpError({ code: errorCodes.invalidParams, message: words, data: { code: 'bad_field' } }, 200);
}

/** The id for an error, if the message can be answered. */
export function idOf(message: RpcMessage | undefined): string | number | null {
  const id = message?.method === undefined ? undefined : message.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function invalidRequest(message: string): McpError {
  return new McpError({ code: errorCodes.invalidRequest, message });
}
