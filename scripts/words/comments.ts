import { type Comment, tokensOf } from '../law/imports.ts';
import { Gatherer, type Passage } from './passages.ts';

/** Comments addressed to tools. */
const directive = /^\s*(?:biome-ignore|@ts-|\/ <reference|@type\b|@type\{|buf:lint)/;

/** The comments of a TypeScript, JavaScript or protobuf file. A tag such as `@param name` starts a new passage. */
export function passagesOfComments(path: string, text: string): Passage[] {
  const comments: Comment[] = [];
  tokensOf(text, comments);
  return comments.flatMap((comment) => passagesOfComment(path, comment));
}

function passagesOfComment(path: string, comment: Comment): Passage[] {
  const gatherer = new Gatherer(path);
  if (directive.test(comment.text)) return [];
  for (const [index, full] of comment.text.split('\n').entries()) {
    const stripped = full.trim();
    const begin = /^(?:@param\s+\S+|@throws(?:\s+[\w./]+)?|@\w+|[-*]\s|\d+\.\s)/.exec(stripped)?.[0];
    if (begin !== undefined || stripped === '') gatherer.end();
    if (stripped !== '') gatherer.add(comment.line + index, stripped.slice(begin?.length ?? 0));
  }
  gatherer.end();
  return gatherer.passages;
}
