import { nowDate } from '@hearth/clock';
import type { NotesService } from '@hearth/proto/identity/v1/notes';
import type { UnaryHandler } from '@hearth/rpc';
import { changeable, readNoteId, writerOf } from '../actions/writer.ts';
import type { Context } from '../context.ts';
import { deleteNote as deleteRow, findNote } from '../db/notes.ts';

/** Deletes a note: a person may delete all their notes, an AI only its own. */
export const deleteNote =
  ({ clock, database }: Context): UnaryHandler<typeof NotesService.method.deleteNote> =>
  async (request, { caller }) => {
    const writer = writerOf(caller);
    const id = readNoteId(request.id);
    await database.transaction(async (tx) => {
      changeable(await findNote(tx, writer.person, id, nowDate(clock)), writer);
      await deleteRow(tx, writer.person, id);
    });
    return { deleted: true };
  };
