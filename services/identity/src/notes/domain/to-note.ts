import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { seesWhole, shieldedTime, shieldId, viewerOf } from '@hearth/people';
import type { NoteSchema } from '@hearth/proto/identity/v1/notes';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Caller } from '@hearth/rpc';
import { fromWord } from '../../shared/domain/words.ts';
import type { NotesContext } from '../context.ts';
import type { NoteRow, SharerRow } from '../db/notes.ts';

/** A note as its person and their AIs see it. */
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

/** A note as the AI of a group sees it that it is shared with: of somebody under 18 nothing tells who they are. */
export function toSharedNote(
  { sealer }: Pick<NotesContext, 'sealer'>,
  row: NoteRow,
  sharer: SharerRow,
  caller: Caller,
): MessageInitShape<typeof NoteSchema> {
  const facts = {
    id: sharer.id,
    ageBand: fromWord<AgeBand>(AgeBand, sharer.ageBand),
    app: sharer.app ?? '',
    guardians: sharer.guardians,
  };
  // With which other groups it is shared is none of this group's business.
  const note = { ...toNote(row), sharedWith: [printId('grp', caller.group)] };
  if (seesWhole(facts, caller)) return { ...note, person: printId('per', sharer.id) };
  return {
    ...note,
    by: undefined,
    at: timestampFromDate(shieldedTime(row.at)),
    person: shieldId(sealer, viewerOf(caller), sharer.id),
  };
}
