import { toBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { parseAddress } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { badField, badRequest, internal, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { callerKindOf, limitFor } from '@hearth/limits';
import { type PutNoteRequest, PutNoteRequestSchema } from '@hearth/proto/identity/v1/notes';
import { type RememberedRequest, rememberedRequest } from '@hearth/requests';
import type { Call } from '@hearth/rpc';
import type { NotesContext } from '../context.ts';
import {
  countNotes,
  findNote,
  insertNote,
  lockNotesOf,
  type NewNote,
  type NoteRow,
  replaceNote,
} from '../db/notes.ts';
import { readAbout } from '../domain/note-about.ts';
import { toNote } from '../domain/to-note.ts';
import { changeable, readNoteId, type Writer, writerOf } from '../domain/writer.ts';
import type { NotesHandlers } from '../handlers.ts';

/** What a note is to say. */
type Wanted = Pick<NewNote, 'about' | 'text' | 'sharedWith' | 'expiresAt'>;

/** Makes a note, or writes one anew that the caller may change. */
export function putNote(context: NotesContext): NotesHandlers['putNote'] {
  return async (request, call) => {
    const writer = writerOf(call.caller);
    const replaced = request.id === 'new' ? null : readNoteId(request.id);
    const remembered = replaced === null ? remember(request, call) : undefined;
    const repeated = remembered && (await findRepeated(context, remembered, writer, call));
    if (repeated) return toNote(repeated);

    const wanted = await readWanted(context, request, writer, call);
    if (replaced !== null) return toNote(await rewrite(context, replaced, wanted, writer));
    const made = await make(context, wanted, writer, remembered, call);
    if (made !== null) return toNote(made);
    const parallel = remembered && (await findRepeated(context, remembered, writer, call));
    if (!parallel) throw internal('a request_id was taken and is not there');
    return toNote(parallel);
  };
}

function remember(request: PutNoteRequest, { caller }: Call): RememberedRequest | undefined {
  const { requestId, ...body } = request;
  if (requestId === undefined) return undefined;
  return rememberedRequest(caller, 'put_note', requestId, toBinary(PutNoteRequestSchema, body));
}

async function findRepeated(
  { clock, database, requests }: NotesContext,
  remembered: RememberedRequest,
  { person }: Writer,
  call: Call,
): Promise<NoteRow | null> {
  const found = await requests.find(remembered);
  if (found === null) return null;
  call.answerWith(200);
  const note = await findNote(database.db, person, found.note, nowDate(clock));
  if (note !== null) return note;
  throw badRequest('request_id: the note that it made is gone; write it again with another request_id', {
    code: 'request_id_reused',
    field: 'request_id',
  });
}

async function readWanted(
  context: NotesContext,
  request: PutNoteRequest,
  { person }: Writer,
  call: Call,
): Promise<Wanted> {
  const expiresAt = request.expiresAt === undefined ? null : timestampDate(request.expiresAt);
  if (expiresAt !== null && expiresAt.getTime() <= context.clock.now())
    throw badField('expires_at', 'must lie ahead');
  return {
    about: readAbout(request.about ?? '', context.homeNames),
    text: request.text,
    sharedWith: await readGroups(context, request.sharedWith, person, call),
    expiresAt,
  };
}

/** The uuids of the person's groups that are named. A group of others looks like none. */
async function readGroups(
  { groups, homeNames }: NotesContext,
  given: readonly string[],
  person: string,
  call: Call,
): Promise<string[]> {
  if (given.length === 0) return [];
  const own = (await groups.listGroupIds({ person }, { call })).groups;
  const named = given.map((text, index) => {
    const id = parseId('grp', text);
    const address = id === null ? parseAddress(text, homeNames) : null;
    const handle = address?.kind === 'group' && address.home === undefined ? `&${address.handle}` : null;
    const found = own.find((group) => group.id === id || group.address === handle);
    if (found === undefined)
      throw badField(`shared_with[${index}]`, 'must be the id or &address of a group that the person is in');
    return found.id;
  });
  return [...new Set(named)];
}

/** The new note, or null when a parallel call with the same request_id made it. */
async function make(
  { clock, database, ids, limits, requests }: NotesContext,
  wanted: Wanted,
  { person, ai }: Writer,
  remembered: RememberedRequest | undefined,
  { caller }: Call,
): Promise<NoteRow | null> {
  const kind = callerKindOf(caller) ?? 'claimed';
  const most = limitFor(limits, 'notes_a_person', kind);
  return await database.transaction(async (tx) => {
    const now = nowDate(clock);
    const note: NewNote = { ...wanted, id: ids.uuid(), person, ai, byPerson: ai === null, at: now };
    if (!(await lockNotesOf(tx, person))) throw notFound();
    if (remembered !== undefined && !(await requests.claim(tx, remembered, { note: note.id }))) return null;
    if (most !== null && (await countNotes(tx, person, now)) >= most) throw tooMany(most);
    await insertNote(tx, note);
    return await findNote(tx, person, note.id, now);
  });
}

async function rewrite(
  { clock, database }: NotesContext,
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
