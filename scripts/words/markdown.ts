import { Gatherer, type Passage } from './passages.ts';

const blank = (text: string) => text.replaceAll(/[^\n]/g, '');

/** The prose of a Markdown document: no code blocks, no HTML comments. Each table cell is a passage. */
export function passagesOfMarkdown(path: string, text: string): Passage[] {
  const gatherer = new Gatherer(path);
  let fence: string | null = null;
  for (const [index, full] of text
    .replaceAll(/<!--.*?-->/gs, blank)
    .split('\n')
    .entries()) {
    const line = index + 1;
    const stripped = full.replace(/^[\s>]+/, '');
    const mark = /^(?:`{3,}|~{3,})/.exec(stripped)?.[0];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
    } else if (mark !== undefined) {
      gatherer.end();
      fence = mark;
    } else if (stripped === '') gatherer.end();
    else if (stripped.startsWith('#')) gatherer.single(line, stripped.replace(/^#+\s*/, ''));
    else if (stripped.startsWith('|')) {
      for (const cell of cellsOf(stripped)) gatherer.single(line, cell);
    } else {
      const item = /^(?:[-*+]|\d+\.)\s+/.exec(stripped)?.[0];
      if (item !== undefined) gatherer.end();
      gatherer.add(line, stripped.slice(item?.length ?? 0));
    }
  }
  gatherer.end();
  return gatherer.passages;
}

/** The cells of a table row; a bar inside of code does not separate cells. */
function cellsOf(row: string): string[] {
  return row
    .replaceAll(/`[^`]*`/g, (code) => code.replaceAll('|', '¦'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
