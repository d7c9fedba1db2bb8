import type { JsonObject } from '@bufbuild/protobuf';
import { dayIn } from '@hearth/calendar';
import { type Language, readText } from '@hearth/i18n';

/** The stored text of a notice. */
export interface StoredNotice {
  title: string;
  body: string;
  /** `title` and `body` as messages with their values; null in older rows, and if others wrote both. */
  wording: JsonObject | null;
}

/** Returns the text of a notice for its reader. @param timeZone empty if unknown */
export function noticeWords(
  { title, body, wording }: StoredNotice,
  language: Language,
  timeZone: string,
): Pick<StoredNotice, 'title' | 'body'> {
  const read = (stored: unknown, written: string) =>
    language.words(readText(stored, written, (at) => dayIn(at, timeZone)));
  return { title: read(wording?.title, title), body: read(wording?.body, body) };
}
