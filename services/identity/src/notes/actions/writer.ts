import { forbidden, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { actingPerson, type Caller, callerKinds } from '@hearth/rpc';
import type { NoteRow } from '../db/notes.ts';

/** The owner of the notes, and the writer. */
export interface Writer {
  /** uuid */
  person: string;
  /** uuid of the AI that writes; null if the person does. */
  ai: string | null;
}

/** @throws forbidden if the AI acts for no person */
export function writerOf(caller: Caller): Writer {
  const person = actingPerson(caller);
  return { person, ai: caller.kind === callerKinds.AI ? caller.id : null };
}

/** Reads a note's id into its uuid. @throws not_found if it is not one */
export function readNoteId(text: string): string {
  const id = parseId('nte', text);
  if (id === null) throw notFound();
  return id;
}

/**
 * Returns the note if this writer may change it: a person may change all their notes, an AI only its own.
 *
 * @throws not_found if the writer cannot see the note; forbidden if an AI sees it only because it is shared
 */
export function changeable(note: NoteRow | null, { ai }: Writer): NoteRow {
  if (note === null) throw notFound();
  if (ai === null || note.ai === ai) return note;
  if (note.sharedWith.length === 0) throw notFound();
  throw forbidden('an AI changes the notes that it wrote itself; write a note of your own beside it');
}
