/**
 * Names, addresses and values in prose, which are not English words: a link's target, a name in camelCase or with
 * underscores, a path, an address, an option, a tag, a character class, an initialism, and a name with digits.
 */
const name = new RegExp(
  [
    String.raw`(?<=\])\([^)\s]*\)`,
    String.raw`\{@\w+ [^}]*\}`,
    String.raw`https?://[^\s)>"]+`,
    String.raw`<\/?[\w-]+(?:\s[^>]*)?>`,
    String.raw`\[[\w-]{1,12}\]`,
    String.raw`(?<![\w.])[@&+]?[\w$-]+(?:[./:@][\w$*<>{}-]+)+(?:\(\))?`,
    String.raw`(?<!\w)[@&][\w.-]*\w`,
    String.raw`(?<!\w)--[\w-]+`,
    String.raw`(?<!\w)\/[\w/.{}*-]+`,
    String.raw`\b[\w$]*_[\w$]*`,
    String.raw`\b[A-Za-z$][\w$]*[a-z\d][A-Z][\w$]*`,
    String.raw`\b[A-Z]{3,}s?\b`,
    String.raw`\b[A-Z]{2,}[a-z][\w$]*`,
    String.raw`\b(?:https?|rpc|uuid)s?\b`,
    String.raw`\b(?=\w*[A-Za-z])(?=\w*\d)\w+`,
  ].join('|'),
  'g',
);

const asCode = (found: string) => (found.length < 3 ? found : `\`${'x'.repeat(found.length - 2)}\``);

/** The text with every name masked as code of the same length. */
export function maskNames(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll(name, asCode)))
    .join('');
}
