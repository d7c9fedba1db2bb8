import { nowDate } from '@hearth/clock';
import { placeCursor, readPage } from '@hearth/paging';
import type { NotesService } from '@hearth/proto/identity/v1/notes';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { writerOf } from '../actions/writer.ts';
import type { Context } from '../context.ts';
import {
  findSharers,
  listNotes as listRows,
  listSharers,
  type NoteBounds,
  type NoteRow,
} from '../db/notes.ts';
import { readAbout } from '../domain/note-about.ts';
import { toNote, toSharedNote } from '../domain/to-note.ts';

/** The notes of the caller's person or, for a group's AI, the notes that members share with the group. */
export const listNotes =
  (context: Context): UnaryHandler<typeof NotesService.method.listNotes> =>
  async (request, call) => {
    const { clock, database, homeNames } = context;
    const { about } = request;
    const filter = {
      about: about === undefined || about === '' ? null : readAbout(about, homeNames),
      now: nowDate(clock),
    };
    const read = (bounds: NoteBounds) =>
      readPage(context, request, {
        cursor: placeCursor,
        find: (before, limit) => listRows(database.db, bounds, { ...filter, before, limit }),
        placeOf: ({ at, id }) => ({ at, id }),
      });
    const { caller } = call;
    if (caller.group === '') {
      const { person, ai } = writerOf(caller);
      const { rows, nextCursor } = await read({ people: [person], ai, group: null });
      return { notes: rows.map(toNote), nextCursor };
    }
    const people = await membersWhoShare(context, filter.now, call);
    const { rows, nextCursor } = await read({ people, ai: null, group: caller.group });
    const sharers = new Map((await findSharers(database.db, people)).map((each) => [each.id, each]));
    const shown = (row: NoteRow) => {
      const sharer = sharers.get(row.person);
      return sharer === undefined ? [] : [toSharedNote(context, row, sharer, caller)];
    };
    return { notes: rows.flatMap(shown), nextCursor };
  };

/** Former members no longer share their notes. */
async function membersWhoShare({ database, groups }: Context, now: Date, call: Call): Promise<string[]> {
  const { group } = call.caller;
  const sharers = await listSharers(database.db, group, now);
  const memberships = await Promise.all(
    sharers.map((person) => groups.findMembership({ group, person }, { call })),
  );
  return sharers.filter((_, index) => memberships[index]?.group !== undefined);
}
