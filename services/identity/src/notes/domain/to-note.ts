import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { printId } from '@hearth/ids';
import { seesWhole, shieldedTime, shieldId, viewerOf } from '@hearth/people';
import type { NoteSchema } from '@hearth/proto/identity/v1/notes';
import { AgeBandSchema } from '@hearth/proto/identity/v1/resources';
import type { Caller } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import type { NoteRow, SharerRow } from '../db/notes.ts';

/** A note as its owner and their AIs see it. */
export function toNote(row: NoteRow): MessageInitShape<typeof NoteSchema> {
  const { about, aiAddress, byPerson, expiresAt } = row;
  return {
    id: printId('nte', row.id),
    ...(about !== '' && { about }),
    text: row.text,
    sharedWith: row.sharedWith.map((group) => printId('grp', group)),
    ...(expiresAt !== null && { expiresAt: timestampFromDate(expiresAt) }),
    ...(!byPerson && aiAddress !== null && { by: aiAddress }),
    at: timestampFromDate(row.at),
  };
}

/** A note as the AI of a group that it is shared with sees it: a minor is not named. */
export function toSharedNote(
  { sealer }: { sealer: Pick<Sealer, 'derive'> },
  row: NoteRow,
  sharer: SharerRow,
  caller: Caller,
): MessageInitShape<typeof NoteSchema> {
  const facts = {
    id: sharer.id,
    ageBand: enumNames(AgeBandSchema).valueOf(sharer.ageBand),
    app: sharer.app ?? '',
    guardians: sharer.guardians,
  };
  // The other groups that the note is shared with are not this group's business.
  const note = { ...toNote(row), sharedWith: [printId('grp', caller.group)] };
  if (seesWhole(facts, caller)) return { ...note, person: printId('per', sharer.id) };
  return {
    ...note,
    by: undefined,
    at: timestampFromDate(shieldedTime(row.at)),
    person: shieldId(sealer, viewerOf(caller), sharer.id),
  };
}
