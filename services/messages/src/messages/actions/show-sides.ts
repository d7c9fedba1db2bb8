import type { MessageInitShape } from '@bufbuild/protobuf';
import { seesWhole, shieldId, shortenName, viewerOf } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { MessageSchema, ThreadSchema } from '@hearth/proto/messages/v1/messages';
import type { Call, Caller } from '@hearth/rpc';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { isMarker, uuidOf } from '../../shared/domain/stored-address.ts';
import type { Context } from '../context.ts';
import type { ThreadRow } from '../db/threads.ts';
import { asStored, type ShownSides, sidesOf, toMessage, toThread } from '../domain/to-proto.ts';
import { findOtherSide } from './correspondents.ts';

type Sources = Pick<Context, 'people' | 'sealer'>;

/**
 * Shows the sides with these stored addresses as the caller may see them: people under 18 may be shielded.
 */
export async function showSides(
  { people, sealer }: Sources,
  stored: readonly string[],
  caller: Caller,
): Promise<ShownSides> {
  const markers = stored.filter(isMarker);
  if (markers.length === 0) return asStored;
  const facts = await people.find(markers.map(uuidOf));
  const wholeFacts = (address: string): PersonFacts | null => {
    const found = facts.get(uuidOf(address));
    return found !== undefined && seesWhole(found, caller) ? found : null;
  };
  return {
    address(address) {
      if (!isMarker(address)) return address;
      const whole = wholeFacts(address);
      return whole === null ? shieldId(sealer, viewerOf(caller), uuidOf(address)) : `@${whole.handle}`;
    },
    name: (address, name) => (isMarker(address) && wholeFacts(address) === null ? shortenName(name) : name),
  };
}

/** Messages as the caller, a side or the holder of each, may see them. */
export async function showMessages(
  context: Sources,
  rows: readonly MessageRow[],
  caller: Caller,
): Promise<MessageInitShape<typeof MessageSchema>[]> {
  const sides = await showSides(context, rows.flatMap(sidesOf), caller);
  return rows.map((row) => toMessage(row, caller.id, sides));
}

/** The caller's own threads as they may see them. */
export async function showThreads(
  context: Sources & Parameters<typeof findOtherSide>[0],
  rows: readonly ThreadRow[],
  call: Call,
): Promise<MessageInitShape<typeof ThreadSchema>[]> {
  const [sides, others] = await Promise.all([
    showSides(
      context,
      rows.map(({ other_address }) => other_address),
      call.caller,
    ),
    Promise.all(
      rows.map((row) => findOtherSide(context, { id: row.other, stored: row.other_address }, call)),
    ),
  ]);
  return rows.map((row, index) => toThread(row, sides, others[index] ?? null));
}
