import type { Comment } from './imports.ts';

/** Words that a comment does without, and where it stands. */
export interface HardWord {
  line: number;
  /** The word and what follows it. */
  text: string;
}

/**
 * A sentence that begins with one of these has no plain subject. A sentence begins where the comment does, after a
 * full stop, and after the name of a `@param`.
 */
const beginning =
  /(?<=^\s*|[.!?]\s+|\n\s*\n\s*|@(?:param\s+\S+|\w+)\s+|^\s*[-*]\s+)(?:Who|Whom|Whose|What|Of)\b[^\n]{0,50}/gm;
/** A name of the role says more: a caller, a member, the recipient, no one. */
const nameless = /\b(?:somebody|nobody)\b[^\n]{0,30}/gi;

export function hardWordsIn({ text, line }: Comment): HardWord[] {
  // Code in a comment is no prose: the user `nobody`.
  const prose = text.replaceAll(/`[^`\n]*`/g, (code) => '`'.repeat(code.length));
  // A line that goes on with the sentence of the one before begins none.
  const joined = prose.replaceAll(/(?<=[^.!?:\s][ \t]*)\n(?=[ \t]*[^\s@*-])/g, '\uE000');
  return [beginning, nameless]
    .flatMap((pattern) => [...joined.matchAll(pattern)])
    .map(({ index, 0: found }) => ({
      line: line + joined.slice(0, index).split(/[\n\uE000]/).length - 1,
      text: found.replaceAll(/\s*\uE000\s*/g, ' ').trim(),
    }))
    .sort((one, other) => one.line - other.line);
}
