import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { HomeNames } from '@hearth/addresses';
import { type Reader, writeMessage } from '@hearth/proto-json';
import { isJsonObject, type JsonObject } from '@hearth/signing';
import { isAbroad, saysWords, toAbroad } from './abroad.ts';
import { type BrokenRule, brokenRule, ruleBrokenIn } from './broken-rule.ts';
import { hasZero } from './has-zero.ts';
import { brokenShape, stateShapes } from './state-shapes.ts';

/** The object of a state, as its home states it. */
export interface ReadObject<Desc extends DescMessage> {
  message: MessageShape<Desc>;
  /** Without unknown members, and without those that depend on a reader. */
  kept: JsonObject;
}

const at = 'body.object';

/**
 * Reads the object of a state by the rules of docs/protocol/items.md that concern the object alone; returns
 * the first broken rule if it is invalid.
 *
 * @param reader accepts answers of other homes
 */
export function readObject<Desc extends DescMessage>(
  { homeNames, reader }: { homeNames: HomeNames; reader: Reader },
  { kind, desc }: { kind: string; desc: Desc },
  { id, home, object }: { id: string; home: string; object: unknown },
): ReadObject<Desc> | BrokenRule {
  if (!isJsonObject(object) || object['id'] !== id)
    return brokenRule(`${at}.id`, 'must be the id of the item');
  const read = tryRead(at, reader, desc, object);
  if ('refused' in read) return read;
  const { message } = read;
  const told = writeMessage(desc, message) as JsonObject;
  if (!isAbroad(desc, told, home, homeNames))
    return brokenRule(at, 'must have full addresses, and ids and groups of the home that sends it');
  if (!saysWords(desc, told))
    return brokenRule(at, 'must be words where docs/protocol/items.md allows no free text');
  const kept = toAbroad(desc, told, home);
  if (hasZero(kept)) return brokenRule(at, 'must have no U+0000 in a text');
  const shape = stateShapes[kind];
  return (shape && brokenShape(shape, kept, at)) ?? { message, kept };
}

export function tryRead<Desc extends DescMessage>(
  path: string,
  reader: Reader,
  desc: Desc,
  json: JsonObject,
): { message: MessageShape<Desc> } | BrokenRule {
  try {
    return { message: reader.readMessage(desc, json) };
  } catch (error) {
    const broken = ruleBrokenIn(path, error);
    if (broken !== null) return broken;
    throw error;
  }
}
