import { english, listed, type Text, t, type Value, verbatim } from '@hearth/i18n';
import { timeIn } from './moments.ts';

/** The content of a proposal, from which its summary follows. */
export interface ProposalContent {
  /** The answers with a result, in the order of their questions. */
  answers: readonly SummedAnswer[];
  /** Everything that people bring. */
  bring: readonly string[];
}

/** A time, as an instant (ISO 8601) or a day; otherwise an option or a text. */
export type SummedAnswer = { time: string } | { words: string };

/** How a summary shows its parts. */
interface Shows<Part> {
  time(at: string): Part;
  /** Words of others. */
  quote(words: string): Part;
}

/** The most characters of a summary. */
export const summaryCharacters = 500;

/** The content in one line: "Mon, 3 May 2027, 18:00; Pizza; to bring: Wine, Salad". */
export function summaryLine<Part extends Value>(
  { answers, bring }: ProposalContent,
  { time, quote }: Shows<Part>,
): Part | Text | '' {
  const things = listed(bring.map(quote), 'unit');
  const parts = [
    ...answers.map((answer) => ('time' in answer ? time(answer.time) : quote(answer.words))),
    ...(bring.length === 0 ? [] : [t('decisions.summary-bring', { things })]),
  ];
  const [first = '', ...rest] = parts;
  return rest.reduce<Part | Text | ''>((line, part) => t('decisions.summary-parts', { line, part }), first);
}

/** The line in English, as proposals and signed records have it. */
export function englishSummary(content: ProposalContent, zone: string | null): string {
  const line = summaryLine(content, { time: (at) => timeIn(at, zone), quote: verbatim });
  return english.words(line).slice(0, summaryCharacters);
}
