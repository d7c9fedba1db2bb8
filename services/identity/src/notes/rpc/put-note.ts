import { timestampDate } from '@bufbuild/protobuf/wkt';
import { parseAddress, parseReference } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { badField, badRequest, notFound } from '@hearth/errors';
import { type Claim, requestIdUsed } from '@hearth/idempotency';
import { parseId } from '@hearth/ids';
import { callerKindOf, limitFor } from '@hearth/limits';
import { NotesService, type PutNoteRequest } from '@hearth/proto/identity/v1/notes';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { countNotes } from '../../shared/db/notes.ts';
import { changeable, readNoteId, type Writer, writerOf } from '../actions/writer.ts';
import type { Context } from '../context.ts';
import { findNote, insertNote, lockNotesOf, type NewNote, type NoteRow, replaceNote } from '../db/notes.ts';
import { readAbout } from '../domain/note-about.ts';
import { toNote } from '../domain/to-note.ts';

/** The fields of a note that the caller sets. */
type Wanted = Pick<NewNote, 'about' | 'text' | 'sharedWith' | 'expiresAt'>;

/** Creates a note, or overwrites one that the caller may change. */
export const putNote =
  (context: Context): UnaryHandler<typeof NotesService.method.putNote> =>
  async (request, call) => {
    const writer = writerOf(call.caller);
    if (request.id !== 'new') {
      const replaced = readNoteId(request.id);
      const wanted = await readWanted(context, request, writer, call);
      return toNote(await rewrite(context, replaced, wanted, writer));
    }
    return await context.idempotency.once(call, NotesService.method.putNote, request, {
      async make(claim) {
        const wanted = await readWanted(context, request, writer, call);
        return toNote(await make(context, wanted, writer, claim, call));
      },
      repeat: async ({ note }) => toNote(await findMade(context, note, writer)),
    });
  };

async function findMade({ clock, database }: Context, id: string, { person }: Writer): Promise<NoteRow> {
  const note = await findNote(database.db, person, id, nowDate(clock));
  if (note !== null) return note;
  throw requestIdUsed('the note that it made is gone; write it again with another request_id');
}

async function readWanted(
  context: Context,
  request: PutNoteRequest,
  { person }: Writer,
  call: Call,
): Promise<Wanted> {
  const expiresAt = request.expiresAt === undefined ? null : timestampDate(request.expiresAt);
  if (expiresAt !== null && expiresAt.getTime() <= context.clock.now())
    throw badField('expires_at', 'must be in the future');
  return {
    about: readAbout(request.about ?? '', context.homeNames),
    text: request.text,
    sharedWith: await readGroups(context, request.sharedWith, person, call),
    expiresAt,
  };
}

/** uuids of the named groups, all of which must be the person's own. A group of others is not found. */
async function readGroups(
  { groups, homeNames }: Context,
  given: readonly string[],
  person: string,
  call: Call,
): Promise<string[]> {
  if (given.length === 0) return [];
  const own = (await groups.listGroupIds({ person }, { call })).groups;
  const named = given.map((text, index) => {
    const id = parseId('grp', text);
    const address = id === null ? parseAddress(text, homeNames) : null;
    const home = address?.home ?? parseReference(text, homeNames)?.home ?? homeNames.ownHome;
    if (home !== homeNames.ownHome)
      throw badField(`shared_with[${index}]`, 'is a group of another home, to which no note goes');
    const handle = address?.kind === 'group' && address.home === undefined ? `&${address.handle}` : null;
    const found = own.find((group) => group.id === id || group.address === handle);
    if (found === undefined)
      throw badField(`shared_with[${index}]`, 'must be the id or &address of a group that the person is in');
    return found.id;
  });
  return [...new Set(named)];
}

async function make(
  { clock, database, ids, limits }: Context,
  wanted: Wanted,
  { person, ai }: Writer,
  claim: Claim<{ note: string }>,
  { caller }: Call,
): Promise<NoteRow> {
  const kind = callerKindOf(caller) ?? 'claimed';
  const most = limitFor(limits, 'notes_a_person', kind);
  return await database.transaction(async (tx) => {
    const now = nowDate(clock);
    const note: NewNote = { ...wanted, id: ids.uuid(), person, ai, byPerson: ai === null, at: now };
    if (!(await lockNotesOf(tx, person))) throw notFound();
    await claim(tx, { note: note.id });
    if (most !== null && (await countNotes(tx, person, now)) >= most) throw tooMany(most);
    await insertNote(tx, note);
    return (await findNote(tx, person, note.id, now))!;
  });
}

async function rewrite(
  { clock, database }: Context,
  id: string,
  wanted: Wanted,
  writer: Writer,
): Promise<NoteRow> {
  const { person, ai } = writer;
  return await database.transaction(async (tx) => {
    const now = nowDate(clock);
    await lockNotesOf(tx, person);
    const present = changeable(await findNote(tx, person, id, now), writer);
    await replaceNote(tx, { ...wanted, id, person, ai: present.ai, byPerson: ai === null, at: now });
    return changeable(await findNote(tx, person, id, now), writer);
  });
}

function tooMany(most: number): Error {
  return badRequest(`a person has at most ${most} notes; delete one first, or give notes an expires_at`, {
    code: 'cap_reached',
    limit: 'notes_a_person',
  });
}
