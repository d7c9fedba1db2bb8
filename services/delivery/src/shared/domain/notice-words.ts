import type { JsonObject } from '@bufbuild/protobuf';
import { dayIn } from '@hearth/calendar';
import { type Language, readText } from '@hearth/i18n';

/** The text of a notice as rows have it. */
export interface StoredNotice {
  title: string;
  body: string;
  /** `title` and `body` as messages with their values; null in older rows, and where the home worded neither. */
  wording: JsonObject | null;
}

/** The text of a notice for its reader. @param timeZone empty for an unknown one */
export function noticeWords(
  { title, body, wording }: StoredNotice,
  language: Language,
  timeZone: string,
): Pick<StoredNotice, 'title' | 'body'> {
  const read = (stored: unknown, written: string) =>
    language.words(readText(stored, written, (at) => dayIn(at, timeZone)));
  return { title: read(wording?.title, title), body: read(wording?.body, body) };
}
