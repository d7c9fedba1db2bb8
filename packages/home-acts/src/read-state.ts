import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { HomeItem } from '@hearth/proto/federation/v1/items';
import type { Reader } from '@hearth/proto-json';
import { isJsonObject, type JsonObject } from '@hearth/signing';
import { type BrokenRule, brokenRule } from './broken-rule.ts';
import type { CopyRow } from './copies-db.ts';
import type { CopyKind } from './copy-kind.ts';
import type { ThingParts } from './home-things.ts';
import { mostAheadMs } from './others-word.ts';
import { outOfBounds } from './out-of-bounds.ts';
import { readObject, tryRead } from './read-object.ts';

/** Returns the copy of a received state, or the rule that its object breaks. */
export function readState<Desc extends DescMessage>(
  { homeNames, ids, reader, clock }: ThingParts,
  kind: string,
  { desc, factsOf }: CopyKind<Desc>,
  item: HomeItem,
): CopyRow | BrokenRule {
  const { object } = JSON.parse(item.bodyJson) as { object?: unknown };
  const read = readObject({ homeNames, reader }, { kind, desc }, { id: item.id, home: item.home, object });
  if ('refused' in read) return read;
  const { kept, message } = read;
  const misplaced = outOfBounds(desc, kept, { home: item.home, now: clock.now() }, 'body.object');
  if (misplaced !== null) return misplaced;
  const facts = factsOf(message);
  if (facts === null || Number.isNaN(facts.startedAt.getTime()))
    return brokenRule('body.object', `must have all that a state of the kind ${kind} always has`);
  return {
    ...{ id: ids.uuid(), reference: item.id, kind, home: item.home, rev: Number(item.rev) },
    ...{ object: kept, status: facts.status, final: isFinal(object), notes: {} },
    // Lists are sorted by this time: it may not be far ahead of local things started later.
    started_at: new Date(Math.min(Math.max(facts.startedAt.getTime(), 0), clock.now() + mostAheadMs)),
  };
}

const isFinal = (object: unknown) => isJsonObject(object) && object['final'] === true;

/** Returns null if the answer is malformed. */
export function readAnswer<Desc extends DescMessage>(
  reader: Reader,
  desc: Desc,
  json: JsonObject,
): MessageShape<Desc> | null {
  const read = tryRead('', reader, desc, json);
  return 'refused' in read ? null : read.message;
}
