import { type HearthError, isHearthError } from '@hearth/errors';
import { type Text, t } from '@hearth/i18n';
import { oneLine, type Piece, type Words } from '@hearth/web';
import { errorWords } from './error-words.ts';
import type { PageAnswer } from './page.ts';

/** Errors by the names of the page's fields. */
export type FieldErrors = Partial<Record<string, Words>>;

/** A line of a field with several; its number or text goes before the error. */
interface Line {
  field: string;
  text: string;
  number: number | undefined;
}

/** Maps a request's fields to the page's fields. */
export type FieldsOfPage = Readonly<Record<string, string | Line>>;

const shownOfLine = 20;

/** @param number of the line, from 1; absent if the text identifies it */
export function lineOf(field: string, text: string, number?: number): Line {
  return { field, text: oneLine(text, shownOfLine), number };
}

/** A refused request's error, at the matching field of the page; undefined if the fault was not a field's. */
export function fieldErrors(thrown: unknown, fieldsOfPage: FieldsOfPage): FieldErrors | undefined {
  if (!isHearthError(thrown) || thrown.kind !== 'bad_request') return undefined;
  const { field = '' } = thrown.details;
  const place = Object.hasOwn(fieldsOfPage, field) ? fieldsOfPage[field] : undefined;
  if (place === undefined) return undefined;
  const words = errorWords(thrown);
  return typeof place === 'string' ? { [place]: words } : { [place.field]: lineWords(place, words) };
}

function lineWords({ text, number }: Line, words: Text): Text {
  return number === undefined
    ? t('errors.entry', { entry: text, words })
    : t('errors.line', { number, line: text, words });
}

/** Why a form was refused: errors at its fields, or a message above the page. */
export interface Refusal {
  errors?: FieldErrors;
  refused?: Piece;
  /** A temporary failure, which is not the form's fault: its status replaces 400. */
  passes?: HearthError;
}

/** A page's own wording of a refusal; undefined for the default. */
export type OwnRefusal = (error: HearthError) => Refusal | undefined;

/**
 * Does what a form asks for. If it is refused, `again` shows the page with the reason and the typed values.
 *
 * @param fieldsOfPage maps the request's fields to the page's fields
 * @throws every failure that is not about the form
 */
export async function unlessRefused<Done, Again>(
  fieldsOfPage: FieldsOfPage,
  work: () => Promise<Done>,
  again: (wrong: Refusal) => Again,
  ownRefusal?: OwnRefusal,
): Promise<Done | Awaited<Again>> {
  try {
    return await work();
  } catch (error) {
    return await again(refusalOf(error, fieldsOfPage, ownRefusal));
  }
}

function refusalOf(error: unknown, fieldsOfPage: FieldsOfPage, ownRefusal?: OwnRefusal): Refusal {
  if (!isHearthError(error)) throw error;
  const own = ownRefusal?.(error);
  if (own !== undefined) return own;
  const errors = fieldErrors(error, fieldsOfPage);
  if (errors !== undefined) return { errors };
  if (error.kind === 'bad_request' || error.kind === 'forbidden') return { refused: errorWords(error) };
  if (error.kind === 'rate_limited' || error.kind === 'unavailable')
    return { refused: errorWords(error), passes: error };
  throw error;
}

/**
 * Does what a form asks for. If a service refuses one of its fields, `again` shows the page with the error at
 * that field.
 */
export async function submit(
  fieldsOfPage: FieldsOfPage,
  work: () => Promise<PageAnswer>,
  again: (errors: FieldErrors) => Promise<PageAnswer> | PageAnswer,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const errors = fieldErrors(error, fieldsOfPage);
    if (errors === undefined) throw error;
    return await again(errors);
  }
}

/** Failures of one part of a page that leave the rest usable. */
const passing = new Set(['unavailable', 'deadline_exceeded', 'not_built']);

/** For optional parts of a page: undefined while their service is unavailable. */
export async function ifThere<Value>(call: Promise<Value>): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isHearthError(error) && passing.has(error.kind)) return undefined;
    throw error;
  }
}
