/** A request shown in a document, as a shell would send it. */
export interface ShownRequest {
  /** As written in the document. */
  line: string;
  method: string;
  /** Without the home's address. */
  path: string;
  query: string;
  /** The text after `-d`. */
  body: string | undefined;
}

const block = /<!-- commands -->\n```sh\n([\s\S]*?)\n```/g;

/** The shell blocks marked `<!-- commands -->`, in order. */
export function shellBlocks(document: string): string[] {
  return [...document.matchAll(block)].map((match) => match[1] as string);
}

/** The requests that the blocks send; `$` variables are replaced by made-up values, usually people. */
export function requestsIn(blocks: readonly string[]): ShownRequest[] {
  const lines = blocks.flatMap((text) => text.replaceAll(/\\\n\s*/g, '').split('\n'));
  return lines.flatMap((line) => {
    const address = /(?:\$HOME_URL|http:\/\/localhost:8080)(\/v0[^\s"']*)/.exec(line)?.[1];
    if (address === undefined) return [];
    const [path = '', query = ''] = withIds(address).split('?');
    const body = bodyOf(line);
    const method = / -X (\w+)/.exec(line)?.[1] ?? (body === undefined ? 'GET' : 'POST');
    return [{ line, method, path, query, body }];
  });
}

/** The argument of `-d`, as the shell passes it. */
function bodyOf(line: string): string | undefined {
  const plain = / -d '([^']*)'/.exec(line)?.[1];
  if (plain !== undefined) return plain;
  const quoted = / -d "((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  return quoted === undefined ? undefined : withIds(quoted.replaceAll(/\\(.)/g, '$1'));
}

const values: Readonly<Record<string, string>> = {
  CODE: '0'.repeat(22),
  EVENT: `evt_${'0'.repeat(32)}`,
  GROUP: `grp_${'0'.repeat(32)}`,
  HANDLE: 'ben-okri',
  HELPER: `ai_${'0'.repeat(32)}`,
};
const somebody = `per_${'0'.repeat(32)}`;

function withIds(text: string): string {
  return text.replaceAll(/\$([A-Z]+)/g, (_whole, name: string) => values[name] ?? somebody);
}
