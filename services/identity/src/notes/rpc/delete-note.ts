import { nowDate } from '@hearth/clock';
import type { NotesContext } from '../context.ts';
import { deleteNote as deleteRow, findNote } from '../db/notes.ts';
import { changeable, readNoteId, writerOf } from '../domain/writer.ts';
import type { NotesHandlers } from '../handlers.ts';

/** Deletes a note: the person any of theirs, an AI its own. */
export function deleteNote({ clock, database }: NotesContext): NotesHandlers['deleteNote'] {
  return async (request, { caller }) => {
    const writer = writerOf(caller);
    const id = readNoteId(request.id);
    await database.transaction(async (tx) => {
      changeable(await findNote(tx, writer.person, id, nowDate(clock)), writer);
      await deleteRow(tx, writer.person, id);
    });
    return { deleted: true };
  };
}
