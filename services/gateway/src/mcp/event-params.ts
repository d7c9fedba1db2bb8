import type { JsonRecord } from '@hearth/proto-json';
import { wakeUps } from '@hearth/webhooks';
import { errorCodes, invalidParams, McpError, type RpcError } from './error-codes.ts';

/** The fields of a poll or subscription, from their API names to their MCP names. */
const words: Readonly<Record<string, string>> = {
  group: 'arguments.group',
  url: 'delivery.url',
  secret: 'delivery.secret',
  ttl_ms: 'ttlMs',
  max_age_ms: 'maxAgeMs',
  limit: 'maxEvents',
};

const known: ReadonlySet<string> = new Set(wakeUps.map(({ name }) => name));

/**
 * The event, its filters and its start, under their API names. The operation's reader checks the
 * values. Throws McpError for an unknown event.
 */
export function readEvent(params: JsonRecord): JsonRecord {
  const { name, cursor, maxAgeMs } = params;
  if (typeof name !== 'string') throw invalidParams(`name: must be one of ${[...known].join(', ')}`, 'name');
  if (!known.has(name)) {
    throw new McpError({
      code: errorCodes.notFound,
      message: `there is no event of this name; there are ${[...known].join(', ')}`,
      data: { kind: 'event' },
    });
  }
  return { name, ...given({ group: groupOf(params.arguments), cursor, max_age_ms: maxAgeMs }) };
}

function groupOf(args: unknown): unknown {
  if (args === undefined || args === null) return undefined;
  if (!isRecord(args)) throw invalidParams('arguments: must be an object', 'arguments');
  for (const name of Object.keys(args)) {
    if (name === 'group') continue;
    const field = `arguments.${name.slice(0, 100)}`;
    throw invalidParams(`${field}: there is no such argument; the only one is group`, field);
  }
  return args.group;
}

/** The delivery address. Throws McpError unless it is a webhook. */
export function readWebhook({ delivery }: JsonRecord): JsonRecord {
  if (!isRecord(delivery))
    throw invalidParams('delivery: must be an object with mode, url and secret', 'delivery');
  const { mode = 'webhook', url, secret } = delivery;
  if (mode !== 'webhook') {
    throw new McpError({
      code: errorCodes.unsupported,
      message: 'delivery.mode: this home delivers by webhook; or ask with events/poll',
      data: { feature: 'delivery.mode', value: typeof mode === 'string' ? mode.slice(0, 100) : null },
    });
  }
  return { url, secret };
}

/** Lists have only one page, so no cursor is valid. */
export function refuseCursor({ cursor }: JsonRecord): void {
  if (cursor !== undefined && cursor !== null) {
    throw invalidParams('cursor: the list has one page; leave it out', 'cursor');
  }
}

/** Renames an API error's field to its MCP name. */
export function inWordsOfMcp(error: RpcError): RpcError {
  const field = error.data?.field;
  const word = typeof field === 'string' ? words[field] : undefined;
  if (word === undefined) return error;
  const prefix = `${field}: `;
  const message = error.message.startsWith(prefix)
    ? `${word}: ${error.message.slice(prefix.length)}`
    : error.message;
  return { ...error, message, data: { ...error.data, field: word } };
}

/** A copy without undefined members. */
export function given(members: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  );
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
