import { forbidden, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { actingPerson, type Caller, callerKinds } from '@hearth/rpc';
import type { NoteRow } from '../db/notes.ts';

/** The person whose notes are written, and the writer. */
export interface Writer {
  /** uuid */
  person: string;
  /** uuid of the AI that writes; null when the person does. */
  ai: string | null;
}

/** @throws forbidden for an AI that acts for no person */
export function writerOf(caller: Caller): Writer {
  const person = actingPerson(caller);
  return { person, ai: caller.kind === callerKinds.AI ? caller.id : null };
}

/** The uuid behind the id of a note. @throws not_found for what is none */
export function readNoteId(text: string): string {
  const id = parseId('nte', text);
  if (id === null) throw notFound();
  return id;
}

/**
 * The note, when this writer may change it: the person may change all of theirs, an AI its own.
 *
 * @throws not_found for what they cannot see; forbidden for an AI that sees it because it is shared
 */
export function changeable(note: NoteRow | null, { ai }: Writer): NoteRow {
  if (note === null) throw notFound();
  if (ai === null || note.ai === ai) return note;
  if (note.sharedWith.length === 0) throw notFound();
  throw forbidden('an AI changes the notes that it wrote itself; write a note of your own beside it');
}
