/** An import or re-export of another file or package, or a dynamic import. */
export interface Import {
  specifier: string;
  line: number;
  /** Types only, so erased at run time. */
  type: boolean;
}

export interface Token {
  /** A template yields a token for each part between its `${}`. */
  kind: 'word' | 'string' | 'template' | 'sign';
  text: string;
  line: number;
}

/** A block comment, or consecutive `//` lines; without their marks. */
export interface Comment {
  text: string;
  line: number;
}

/** After one of these words a slash starts a regular expression; after any other word it divides. */
const beforeRegex = new Set(
  'await case delete do else in instanceof new of return throw typeof void yield'.split(' '),
);
const wordStart = /[\p{L}_$#\d]/u;
const wordPart = /[\p{L}\p{N}_$]*/uy;

/**
 * The words, strings, templates and signs of a TypeScript file, without comments and regular expressions. Understands
 * just enough to find imports and calls by name.
 */
export function tokensOf(text: string, comments: Comment[] = []): Token[] {
  const tokens: Token[] = [];
  /** For each open brace, whether it belongs to a template's `${`. */
  const braces: boolean[] = [];
  let at = 0;
  let line = 1;
  /** The comment that a further `//` line would belong to. */
  let lastLine: Comment | undefined;

  const skipTo = (end: number) => {
    for (; at < end; at += 1) if (text[at] === '\n') line += 1;
  };
  const endOf = (mark: string) => {
    const found = text.indexOf(mark, at + mark.length);
    return found === -1 ? text.length : found + mark.length;
  };

  function lineComment(end: number): void {
    const last = comments.at(-1);
    const alone = text.slice(text.lastIndexOf('\n', at) + 1, at).trim() === '';
    const goesOn =
      alone && last !== undefined && last.line + last.text.split('\n').length === line && last === lastLine;
    if (goesOn) last.text += `\n${text.slice(at + 2, end)}`;
    else {
      comments.push({ text: text.slice(at + 2, end), line });
      lastLine = alone ? comments.at(-1) : undefined;
    }
    at = end;
  }

  function string(quote: string): void {
    let end = at + 1;
    while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
    tokens.push({ kind: 'string', text: text.slice(at + 1, end), line });
    skipTo(end + 1);
  }

  /** Reads from a backtick, or the brace that ends a `${}`, to the template's end or its next `${`. */
  function template(): void {
    let end = at + 1;
    while (end < text.length && text[end] !== '`' && !text.startsWith('${', end))
      end += text[end] === '\\' ? 2 : 1;
    const open = text.startsWith('${', end);
    if (open) braces.push(true);
    tokens.push({ kind: 'template', text: text.slice(at + 1, end), line });
    skipTo(end + (open ? 2 : 1));
  }

  function regex(): void {
    let inClass = false;
    let end = at + 1;
    for (; end < text.length && text[end] !== '\n' && (inClass || text[end] !== '/'); end += 1) {
      if (text[end] === '\\') end += 1;
      else if (text[end] === '[') inClass = true;
      else if (text[end] === ']') inClass = false;
    }
    tokens.push({ kind: 'sign', text: 'regex', line });
    at = end + 1;
  }

  function divides(): boolean {
    const last = tokens.at(-1);
    if (last === undefined) return false;
    if (last.kind === 'word') return !beforeRegex.has(last.text);
    return ['string', 'template'].includes(last.kind) || [')', ']', '}', 'regex'].includes(last.text);
  }

  while (at < text.length) {
    const char = text[at]!;
    if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at);
      lineComment(end === -1 ? text.length : end);
    } else if (text.startsWith('/*', at)) {
      const end = endOf('*/');
      comments.push({ text: text.slice(at + 2, end - 2).replaceAll(/^[ \t]*\*?/gm, ''), line });
      skipTo(end);
    } else if (char === "'" || char === '"') string(char);
    else if (char === '`') template();
    else if (char === '/' && !divides()) regex();
    else if (wordStart.test(char)) {
      wordPart.lastIndex = at + 1;
      const word = char + wordPart.exec(text)![0];
      tokens.push({ kind: 'word', text: word, line });
      at += word.length;
    } else if (char === '}' && braces.pop() === true) template();
    else {
      if (char === '{') braces.push(false);
      if (char === '\n') line += 1;
      else if (char.trim() !== '') tokens.push({ kind: 'sign', text: char, line });
      at += 1;
    }
  }
  return tokens;
}

/** Every import, re-export and dynamic import of a literal specifier, in order. */
export function importsOf(tokens: readonly Token[]): Import[] {
  const found: Import[] = [];
  tokens.forEach(({ kind, text, line }, index) => {
    if (kind !== 'word' || (text !== 'import' && text !== 'export')) return;
    if (tokens[index - 1]?.text === '.') return;
    const next = tokens[index + 1];
    if (text === 'import' && next?.kind === 'string') {
      found.push({ specifier: next.text, line, type: false });
    } else if (text === 'import' && next?.text === '(') {
      const given = tokens[index + 2];
      const inType = tokens[index - 1]?.text === 'typeof';
      if (given?.kind === 'string') found.push({ specifier: given.text, line, type: inType });
    } else {
      const clause = clauseAfter(tokens, index + 1);
      if (clause !== null) found.push({ ...clause, line });
    }
  });
  return found;
}

/** Reads `{ a, type b } from 'x'`, `* as c from 'x'`, `d, { e } from 'x'`; null for anything else. */
function clauseAfter(tokens: readonly Token[], start: number): Pick<Import, 'specifier' | 'type'> | null {
  const first = tokens[start];
  const second = tokens[start + 1];
  const all = first?.text === 'type' && second?.text !== 'from' && second?.text !== ',';
  let depth = 0;
  const members: Token[][] = [[]];
  for (let index = all ? start + 1 : start; index < tokens.length; index += 1) {
    const { kind, text } = tokens[index]!;
    if (kind === 'word' && text === 'from' && depth === 0 && index > start) {
      const given = tokens[index + 1];
      if (given?.kind === 'string') {
        const named = members.filter((member) => member.length > 0);
        const typed = named.every(
          ([one, other]) => one!.text === 'type' && other !== undefined && other.text !== 'as',
        );
        return {
          specifier: given.text,
          type: all || (named.length > 0 && typed && tokens[start]!.text === '{'),
        };
      }
    }
    if (text === '{') depth += 1;
    else if (text === '}') depth -= 1;
    else if (text === ',' && depth === 1) members.push([]);
    else if (depth === 1) members.at(-1)!.push(tokens[index]!);
    else if (depth === 0 && kind === 'sign' && !['*', ','].includes(text)) return null;
    else if (depth === 0 && (kind === 'string' || kind === 'template')) return null;
  }
  return null;
}

/** Names of services passed to `peer('<service>', ...)`. */
export function peersOf(tokens: readonly Token[]): { service: string; line: number }[] {
  return tokens.flatMap(({ kind, text }, index) => {
    const [open, given] = [tokens[index + 1], tokens[index + 2]];
    const isCall = kind === 'word' && text === 'peer' && open?.text === '(' && given?.kind === 'string';
    return isCall ? [{ service: given.text, line: given.line }] : [];
  });
}

/** The words after `export`: `const`, `function`, `class`, ... of a file's own value exports. */
export function exportsValues(tokens: readonly Token[]): number | null {
  const values = new Set(['const', 'let', 'var', 'function', 'async', 'class', 'default', 'abstract']);
  const index = tokens.findIndex(
    ({ text }, at) =>
      text === 'export' && values.has(tokens[at + 1]?.text ?? '') && tokens[at - 1]?.text !== '.',
  );
  return index === -1 ? null : tokens[index]!.line;
}
