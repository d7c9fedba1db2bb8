import { type HearthError, isHearthError } from '@hearth/errors';
import { type Text, t, verbatim } from '@hearth/i18n';
import { moment, oneLine, type Piece, type Words } from '@hearth/web';
import type { PageAnswer } from './page.ts';
import { sentence } from './sentence.ts';

/** Errors by the names of the page's fields. */
export type FieldErrors = Partial<Record<string, Words>>;

/** A line of a field with several, named for the start of an error message. */
interface Line {
  field: string;
  named: string;
}

/** Maps a request's fields to the page's fields. */
export type FieldsOfPage = Readonly<Record<string, string | Line>>;

const shownOfLine = 20;

/** @param number of the line, from 1; absent if the text identifies it */
export function lineOf(field: string, text: string, number?: number): Line {
  const quoted = `“${oneLine(text, shownOfLine)}”`;
  return { field, named: number === undefined ? quoted : `Line ${number} (${quoted})` };
}

/** A refused request's error, at the matching field of the page; undefined if the fault was not a field's. */
export function fieldErrors(thrown: unknown, fieldsOfPage: FieldsOfPage): FieldErrors | undefined {
  if (!isHearthError(thrown) || thrown.kind !== 'bad_request') return undefined;
  const { field = '' } = thrown.details;
  const place = Object.hasOwn(fieldsOfPage, field) ? fieldsOfPage[field] : undefined;
  if (place === undefined) return undefined;
  const [name, line] = typeof place === 'string' ? [place] : [place.field, place.named];
  return { [name]: ofClocks(thrown) ?? verbatim(sentence(withoutField(thrown.message, field, line))) };
}

/** People choose another time; only programs can pick one of the two readings. */
function ofClocks({ details }: HearthError): Text | undefined {
  return details.code === 'ambiguous_time' ? t('common.clocks-change') : undefined;
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
  if (error.details.code === 'request_id_reused') return { refused: t('common.sent-differently') };
  const errors = fieldErrors(error, fieldsOfPage);
  if (errors !== undefined) return { errors };
  if (error.kind === 'bad_request' || error.kind === 'forbidden')
    return { refused: sentence(withoutField(error.message, error.details.field ?? '')) };
  if (error.kind === 'rate_limited') return { refused: restWords(error), passes: error };
  if (error.kind === 'unavailable') return { refused: t('common.unavailable'), passes: error };
  throw error;
}

/** The reader's time zone is unknown here; the browser shows the moment in its own. */
function restWords({ details: { resetsAt } }: HearthError): Text {
  if (resetsAt === undefined) return t('common.too-often');
  return t('common.too-often-until', { time: moment({}, resetsAt.getTime()) });
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

/**
 * Replaces the field's name with a subject: "name: must have at most 40 characters" becomes "This must have
 * …" at its field. A message with a subject stays as it is.
 */
function withoutField(message: string, field: string, line?: string): string {
  const prefix = `${field}: `;
  const isAbout = message.startsWith(prefix);
  const words = isAbout ? message.slice(prefix.length) : message;
  if (isAbout && !hasSubject.test(words)) return `${line ?? 'This'} ${words}`;
  return line === undefined ? words : `${line}: ${words}`;
}

const hasSubject = /^(["“]|(these|this|the|an?|somebody|nobody|only|where|there) )/;

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
