import type { NotesService } from '@hearth/proto/identity/v1/notes';
import type { Handlers } from '@hearth/rpc';
import type { NotesContext } from './context.ts';
import { deleteNote } from './rpc/delete-note.ts';
import { listNotes } from './rpc/list-notes.ts';
import { putNote } from './rpc/put-note.ts';

export type NotesHandlers = Handlers<typeof NotesService>;

export function notesHandlers(context: NotesContext): NotesHandlers {
  return {
    listNotes: listNotes(context),
    putNote: putNote(context),
    deleteNote: deleteNote(context),
  };
}
