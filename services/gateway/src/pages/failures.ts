import { type HearthError, isHearthError } from '@hearth/errors';
import { type Text, t, verbatim } from '@hearth/i18n';
import { moment, oneLine, type Piece, type Words } from '@hearth/web';
import type { PageAnswer } from './page.ts';
import { sentence } from './sentence.ts';

/** The errors at the fields that a service refused, by the names of the page's fields. */
export type FieldErrors = Partial<Record<string, Words>>;

/** A line of a field that holds several, as the beginning of a sentence about it. */
interface Line {
  field: string;
  named: string;
}

/** By the fields of a request those of the page that stand for them. */
export type FieldsOfPage = Readonly<Record<string, string | Line>>;

const shownOfLine = 20;

/** @param number of the line, from 1; absent where the text alone says which one it is */
export function lineOf(field: string, text: string, number?: number): Line {
  const quoted = `“${oneLine(text, shownOfLine)}”`;
  return { field, named: number === undefined ? quoted : `Line ${number} (${quoted})` };
}

/**
 * The words for a form whose request was refused, at the field of the page that stands for the request's; undefined
 * when the fault was another.
 */
export function fieldErrors(thrown: unknown, fieldsOfPage: FieldsOfPage): FieldErrors | undefined {
  if (!isHearthError(thrown) || thrown.kind !== 'bad_request') return undefined;
  const { field = '' } = thrown.details;
  const place = Object.hasOwn(fieldsOfPage, field) ? fieldsOfPage[field] : undefined;
  if (place === undefined) return undefined;
  const [name, line] = typeof place === 'string' ? [place] : [place.field, place.named];
  return { [name]: ofClocks(thrown) ?? verbatim(sentence(withoutField(thrown.message, field, line))) };
}

/** On a page another time is chosen; a program may send one of the two readings instead. */
function ofClocks({ details }: HearthError): Text | undefined {
  return details.code === 'ambiguous_time' ? t('common.clocks-change') : undefined;
}

/** Why a form was not taken: words at its fields, or above the page. */
export interface Refusal {
  errors?: FieldErrors;
  refused?: Piece;
  /** It passes, and is no fault of the form: its status stands in the place of 400. */
  passes?: HearthError;
}

/** A page's own words for a refusal; undefined where the usual ones do. */
export type OwnRefusal = (error: HearthError) => Refusal | undefined;

/**
 * Does what a form asks for; `again` shows the page with why it was refused, and keeps what was typed.
 *
 * @param fieldsOfPage the fields of the page that stand for those of the request
 * @throws every failure that is no word about the form
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

/** The reader is not known here: the browser tells the moment by its own clock. */
function restWords({ details: { resetsAt } }: HearthError): Text {
  if (resetsAt === undefined) return t('common.too-often');
  return t('common.too-often-until', { time: moment({}, resetsAt.getTime()) });
}

/** Does what a form asks for. Where a service refuses one of its fields, `again` shows the page with the words at that field. */
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

/** "name: must have at most 40 characters" says at its own field that it must; words with a subject stand by themselves. */
function withoutField(message: string, field: string, line?: string): string {
  const prefix = `${field}: `;
  const isAbout = message.startsWith(prefix);
  const words = isAbout ? message.slice(prefix.length) : message;
  if (isAbout && !hasSubject.test(words)) return `${line ?? 'This'} ${words}`;
  return line === undefined ? words : `${line}: ${words}`;
}

const hasSubject = /^(["“]|(these|this|the|an?|somebody|nobody|only|where|there) )/;

/** Kinds of failure that leave a page without one of its parts, and not without the rest. */
const passing = new Set(['unavailable', 'deadline_exceeded', 'not_built']);

/** For a part that a page can be shown without: undefined while its service does not answer. */
export async function ifThere<Value>(call: Promise<Value>): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isHearthError(error) && passing.has(error.kind)) return undefined;
    throw error;
  }
}
