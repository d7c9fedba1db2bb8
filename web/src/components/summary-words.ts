import {
  englishSummary,
  type ProposalContent,
  summaryCharacters,
  summaryLine,
} from '@hearth/calendar/decision-summary';
import type { Frame } from '../frame.ts';
import type { Piece } from '../html.ts';
import { othersText } from '../others-text.ts';
import { zonedTime } from './zoned-time.ts';

/**
 * The summary of a proposal: in the reader's language if a home made it from the content, otherwise in its
 * author's words.
 *
 * @param zone the zone of its times
 */
export function summaryWords(
  frame: Frame,
  summary: string,
  content: ProposalContent | undefined,
  zone: string | undefined,
): Piece {
  const quote = (words: string) => othersText(words, summaryCharacters);
  if (content === undefined || summary === '' || summary !== englishSummary(content, zone ?? null))
    return quote(summary);
  return summaryLine(content, { time: (at) => zonedTime(frame, at, zone), quote });
}
