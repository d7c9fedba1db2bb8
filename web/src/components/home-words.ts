import { type Html, html, type Piece } from '../html.ts';
import { moment } from './time.ts';
import type { Readers } from './zoned-time.ts';

/** A sentence by the home, with its instants in the reader's time zone. */
export function homeWords(
  frame: Readers,
  text: string,
  othersText: (part: string) => Piece = (part) => part,
): Html {
  const parts = text.split(/(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)/);
  return html`${parts.map((part, index) => (index % 2 === 1 && !Number.isNaN(Date.parse(part)) ? moment(frame, Date.parse(part)) : othersText(part)))}`;
}
