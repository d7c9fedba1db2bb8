/** A paragraph, list item, table cell, comment or message, checked as a unit. */
export interface Passage {
  /** From the repository's root. */
  path: string;
  line: number;
  /** With the file's line breaks, so that a position in it has a line. */
  text: string;
}

/** A mistake in a passage, or wording that makes readers stumble. */
export interface Finding {
  path: string;
  line: number;
  /** The words in question. */
  text: string;
  rule: string;
  advice: string;
}

/** Gathers the lines of one file into passages. */
export class Gatherer {
  readonly passages: Passage[] = [];
  readonly #path: string;
  #line = 0;
  #lines: string[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /** Adds a line to the open passage. */
  add(line: number, text: string): void {
    if (this.#lines.length === 0) this.#line = line;
    this.#lines.push(text.trim());
  }

  /** Ends the open passage. */
  end(): void {
    const text = this.#lines.join('\n');
    if (/\p{L}/u.test(text)) this.passages.push({ path: this.#path, line: this.#line, text });
    this.#lines = [];
  }

  /** Adds a passage of one line. */
  single(line: number, text: string): void {
    this.end();
    this.add(line, text);
    this.end();
  }
}

export const lineAt = ({ line, text }: Passage, offset: number): number =>
  line + text.slice(0, offset).split('\n').length - 1;
