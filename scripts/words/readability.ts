import type { Kind } from './kinds.ts';
import { type Finding, lineAt, type Passage } from './passages.ts';

/** A sentence with more words than this must be split. */
export const longestSentence = 40;
/** The bound on the median sentence length of a document, in words. */
export const medianSentence = 16;

interface Phrase {
  rule: string;
  pattern: RegExp;
  advice: string;
}

const anywhere: readonly Phrase[] = [
  { rule: 'shall', pattern: /\bshall\b/gi, advice: 'write will, should or must' },
  {
    rule: 'whom',
    pattern: /\bwhom(?:soever)?\b|\bwhosoever\b/gi,
    advice: 'name the person, or turn the sentence round: "the people you invite"',
  },
  { rule: 'those of', pattern: /\bthose of\b/gi, advice: 'repeat the noun: "the groups of a person"' },
  { rule: 'one that is', pattern: /\bone that is\b/gi, advice: 'name it: "an open request"' },
  { rule: 'it is one', pattern: /\bit is one\b/gi, advice: 'name it' },
];

/** A sentence begins at the start of its passage, after a full stop, and after an empty line. */
const inComments: readonly Phrase[] = [
  {
    rule: 'beginning',
    pattern: /(?<=^|[.!?]\s+)(?:Who|Whom|Whose|What|Of)\b/g,
    advice: 'begin with the subject',
  },
  {
    rule: 'nameless',
    pattern: /\b(?:somebody|nobody)\b/gi,
    advice: 'name the role: a caller, a member, no one',
  },
];

/** Replaces code and link targets by filler of the same length, so that offsets stay right. */
const prose = (text: string) =>
  text
    .replaceAll(/`[^`]*`/g, (code) => `\`${'x'.repeat(Math.max(0, code.length - 2))}\``)
    .replaceAll(/\]\([^)\s]*\)/g, (target) => `]${' '.repeat(target.length - 1)}`);

const sentenceEnd = /(?<=[.!?]["”’)*_]*)\s+(?=["“‘(*_`[]*[\p{Lu}\p{N}`])/u;

/** A passage's sentences with their offsets. */
function sentencesOf(text: string): { sentence: string; offset: number }[] {
  const read = prose(text);
  let end = 0;
  return read.split(sentenceEnd).map((sentence) => {
    const offset = read.indexOf(sentence, end);
    end = offset + sentence.length;
    return { sentence, offset };
  });
}

/** Consecutive code names are a list, and count as one word. */
const wordsIn = (sentence: string) =>
  sentence.replaceAll(/`[^`]*`(?:\s+`[^`]*`)+/g, '`x`').match(/[\p{L}\p{N}`][^\s]*/gu)?.length ?? 0;

/** Finds unwanted phrases and sentences that are too long. */
export function hardWordsIn(passage: Passage, kind: Kind): Finding[] {
  const text = prose(passage.text);
  const phrases = kind === 'comment' ? [...anywhere, ...inComments] : anywhere;
  const found = phrases.flatMap(({ rule, pattern, advice }) =>
    [...text.matchAll(pattern)].map(({ index }) => ({
      path: passage.path,
      line: lineAt(passage, index),
      text: passage.text.slice(Math.max(0, index - 20), index + 40).replaceAll('\n', ' '),
      rule,
      advice,
    })),
  );
  if (kind === 'comment') return found;
  for (const { sentence, offset } of sentencesOf(passage.text)) {
    const words = wordsIn(sentence);
    if (words > longestSentence)
      found.push({
        path: passage.path,
        line: lineAt(passage, offset),
        text: `${passage.text.slice(offset, offset + 60).replaceAll('\n', ' ')}…`,
        rule: 'long sentence',
        advice: `${words} words; split it, ${longestSentence} at most`,
      });
  }
  return found.sort((one, other) => one.line - other.line);
}

/** Reports a document's median sentence length if it is too high and there are enough sentences. */
export function longMedian(path: string, passages: readonly Passage[]): Finding[] {
  const lengths = passages
    .flatMap(({ text }) => sentencesOf(text))
    .map(({ sentence }) => wordsIn(sentence))
    .filter((words) => words > 2)
    .sort((one, other) => one - other);
  const median = lengths[lengths.length >> 1] ?? 0;
  if (lengths.length < 20 || median <= medianSentence) return [];
  return [
    {
      path,
      line: 1,
      text: `${lengths.length} sentences`,
      rule: 'long sentences',
      advice: `half of them have ${median} words or more; shorten them to ${medianSentence} at most`,
    },
  ];
}
