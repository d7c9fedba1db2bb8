import { nowDate } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import type { ListNotesRequest } from '@hearth/proto/identity/v1/notes';
import type { Call } from '@hearth/rpc';
import type { NotesContext } from '../context.ts';
import {
  findSharers,
  listNotes as listRows,
  listSharers,
  type NoteBounds,
  type NoteFilter,
  type NoteRow,
} from '../db/notes.ts';
import { readAbout } from '../domain/note-about.ts';
import { parseNoteCursor, printNoteCursor } from '../domain/note-cursor.ts';
import { toNote, toSharedNote } from '../domain/to-note.ts';
import { writerOf } from '../domain/writer.ts';
import type { NotesHandlers } from '../handlers.ts';

const usualPage = 20;

/** The notes of the caller's person, or, for a group AI, what the members of its group share with it. */
export function listNotes(context: NotesContext): NotesHandlers['listNotes'] {
  const { database, sealer } = context;
  return async (request, call) => {
    const filter = readFilter(context, request);
    const { caller } = call;
    if (caller.group === '') {
      const { person, ai } = writerOf(caller);
      const rows = await listRows(database.db, { people: [person], ai, group: null }, filter);
      return page(rows, filter, (shown) => shown.map(toNote));
    }
    const people = await membersWhoShare(context, filter.now, call);
    const bounds: NoteBounds = { people, ai: null, group: caller.group };
    const rows = people.length === 0 ? [] : await listRows(database.db, bounds, filter);
    const sharers = new Map((await findSharers(database.db, people)).map((each) => [each.id, each]));
    return page(rows, filter, (shown) =>
      shown.flatMap((row) => {
        const sharer = sharers.get(row.person);
        return sharer === undefined ? [] : [toSharedNote({ sealer }, row, sharer, caller)];
      }),
    );
  };
}

function readFilter(
  { clock, homeNames, limits }: NotesContext,
  { about, limit, cursor }: ListNotesRequest,
): NoteFilter {
  return {
    about: about === undefined || about === '' ? null : readAbout(about, homeNames),
    before: cursor === undefined ? null : parseNoteCursor(cursor),
    // One more than the page: it says that there is a next one.
    limit: (limit || Math.min(usualPage, sizeOf(limits, 'page_entries'))) + 1,
    now: nowDate(clock),
  };
}

/** Sharing ends with the membership. */
async function membersWhoShare({ database, groups }: NotesContext, now: Date, call: Call): Promise<string[]> {
  const { group } = call.caller;
  const sharers = await listSharers(database.db, group, now);
  const memberships = await Promise.all(
    sharers.map((person) => groups.findMembership({ group, person }, { call })),
  );
  return sharers.filter((_, index) => memberships[index]?.group !== undefined);
}

function page<Note>(rows: NoteRow[], { limit }: NoteFilter, show: (rows: NoteRow[]) => Note[]) {
  const shown = rows.slice(0, limit - 1);
  const last = shown.at(-1);
  const more = rows.length === limit && last !== undefined;
  return { notes: show(shown), nextCursor: more ? printNoteCursor(last) : undefined };
}
