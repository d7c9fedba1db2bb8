import { internal } from '@hearth/errors';

const word = /^[A-Za-z0-9_=-]+$/;

/**
 * @throws internal unless `subject` is words joined by dots; subjects are written in code, so this is a bug
 */
export function checkSubject(subject: string): void {
  if (!subject.split('.').every((token) => word.test(token))) {
    throw internal(`"${subject}" is no bus subject: words of letters, digits, _, = and - joined by dots`);
  }
}

/** `checkSubject`, with `*` for one word and a final `>` for one or more. */
export function checkFilter(filter: string): void {
  const tokens = filter.split('.');
  const fine = tokens.every(
    (token, index) => word.test(token) || token === '*' || (token === '>' && index === tokens.length - 1),
  );
  if (!fine)
    throw internal(`"${filter}" is no bus subject or filter (* for one word, a last > for the rest)`);
}

/** Whether `filter` matches `subject`, by NATS's rules. */
export function matches(filter: string, subject: string): boolean {
  const wanted = filter.split('.');
  const tokens = subject.split('.');
  for (const [index, token] of wanted.entries()) {
    if (token === '>') return tokens.length > index;
    if (tokens[index] === undefined) return false;
    if (token !== '*' && token !== tokens[index]) return false;
  }
  return wanted.length === tokens.length;
}
