import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { day } from '@hearth/clock';
import { jsonNameOf } from '@hearth/proto-json';
import { isJsonObject, type JsonObject, type JsonValue } from '@hearth/signing';
import { type BrokenRule, brokenRule } from './broken-rule.ts';
import { checks, isIn } from './checks.ts';
import { mostAheadMs } from './others-word.ts';

interface StateOrigin {
  /** The home that states it. */
  home: string;
  /** Time of receipt in ms since 1970. */
  now: number;
}

/**
 * Finds a party that must belong to the stating home but does not, or a deadline too far in the future; null
 * if everything is within bounds.
 *
 * @param json with full addresses
 * @param path of it: "body.object"
 */
export function outOfBounds(
  desc: DescMessage,
  json: JsonObject,
  told: StateOrigin,
  path: string,
): BrokenRule | null {
  for (const field of desc.fields) {
    const name = jsonNameOf(field);
    const values = [json[name] ?? null].flat();
    for (const value of values) {
      const at = `${path}.${name}`;
      const broken = faultOf(desc, field, value, told, at);
      if (broken !== null) return broken;
    }
  }
  return null;
}

function faultOf(
  desc: DescMessage,
  field: DescField,
  value: JsonValue,
  told: StateOrigin,
  at: string,
): BrokenRule | null {
  const { theirs = '', until = {} } = checks[desc.typeName] ?? {};
  if (typeof value === 'string') {
    const isTheirs = value === '' || value.endsWith(`@${told.home}`);
    if (isIn(theirs, field) && !isTheirs) return brokenRule(at, 'must be of the home that sends it');
    const days = until[field.name];
    if (days !== undefined && Date.parse(value) > told.now + days * day + mostAheadMs)
      return brokenRule(at, `must be at most ${days} days ahead`);
  }
  const inner = field.message;
  return inner !== undefined && checks[inner.typeName] !== undefined && isJsonObject(value)
    ? outOfBounds(inner, value, told, at)
    : null;
}
