import { isHearthError } from '@hearth/errors';
import { isJsonObject, type JsonObject, parseStrictJson } from '@hearth/signing';
import { inboxLimits } from '../../shared/domain/inbox-limits.ts';

/** Nesting levels of a push around its items; the depth limit of an item counts from the item. */
const levelsAround = 2;
const deepestItem = 32;
const mostAheadSeconds = 300;

export interface Push {
  epoch: number;
  first: number;
  last: number;
  items: JsonObject[];
}

/** Thrown to refuse the whole request. */
export class PushRefused extends Error {
  readonly code: 'bad_json' | 'bad_batch' | 'bad_item';
  readonly index: number | undefined;

  constructor(code: 'bad_json' | 'bad_batch' | 'bad_item', message: string, index?: number) {
    super(message);
    this.name = 'PushRefused';
    this.code = code;
    this.index = index;
  }
}

/** Reads the body of a push. @param now milliseconds since 1970 @throws PushRefused */
export function readPush(body: Uint8Array, by: { origin: string; home: string; now: number }): Push {
  const value = parse(body);
  if (!isJsonObject(value)) throw new PushRefused('bad_batch', 'a push is a JSON object');
  const { v, origin, destination, epoch, items } = value;
  if (v !== 1) throw batch('v must be 1');
  if (origin !== by.origin) throw batch('origin must be the home that signed the request');
  if (destination !== by.home) throw batch(`destination must be ${by.home}`);
  if (!isCount(epoch)) throw batch('epoch must be a whole number of seconds');
  if (epoch > by.now / 1_000 + mostAheadSeconds) throw batch('epoch lies more than 5 minutes ahead');
  if (!Array.isArray(items) || items.length < 1 || items.length > inboxLimits.max_items)
    throw batch(`items must be 1 to ${inboxLimits.max_items}`);
  for (const [index, item] of items.entries()) {
    if (!isJsonObject(item)) throw new PushRefused('bad_item', 'an item is a JSON object', index);
  }
  const objects = items as JsonObject[];
  const first = objects[0]!['seq'];
  if (!isCount(first)) throw batch('seq begins at 1');
  if (objects.some((item, index) => item['seq'] !== first + index)) throw batch('seq rises by one');
  return { epoch, first, last: first + objects.length - 1, items: objects };
}

function parse(body: Uint8Array) {
  try {
    return parseStrictJson(body, { maxBytes: inboxLimits.max_request, maxDepth: deepestItem + levelsAround });
  } catch (error) {
    if (!isHearthError(error)) throw error;
    const [, index] = /^\$\.items\[(\d+)\]/.exec(error.details.field ?? '') ?? [];
    if (index === undefined) throw new PushRefused('bad_json', error.message);
    throw new PushRefused('bad_item', error.message, Number(index));
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function batch(message: string): PushRefused {
  return new PushRefused('bad_batch', message);
}
