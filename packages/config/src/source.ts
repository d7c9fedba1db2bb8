import type { Mistake } from './config-error.ts';
import type { Environment, Source } from './field.ts';

/** Reads a text file; throws on failure. */
export type ReadFile = (path: string) => string;

export function createSource(
  env: Environment,
  readFile: ReadFile | undefined,
  note: (mistake: Mistake) => void,
): Source {
  // An empty variable counts as missing: Compose files and charts write `NAME=` for values not given.
  const textOf = (name: string) => env[name]?.trim() || undefined;

  function file(variable: string, path: string, expected = 'a readable file'): string | undefined {
    try {
      if (readFile === undefined) throw new Error('files cannot be read here');
      return readFile(path).trim();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      note({
        variable,
        problem: `points to ${path}, which cannot be read (${reason})`,
        expected,
      });
      return undefined;
    }
  }

  function textOrFile(name: string): string | undefined {
    const fileVariable = `${name}_FILE`;
    const value = textOf(name);
    const path = textOf(fileVariable);
    if (path === undefined) return value;
    if (value !== undefined) {
      note({ variable: name, problem: `and ${fileVariable} are both set`, expected: 'only one of them' });
      return undefined;
    }
    const content = file(fileVariable, path);
    if (content !== '') return content;
    note({
      variable: fileVariable,
      problem: `points to ${path}, which is empty`,
      expected: 'a file with the value',
    });
    return undefined;
  }

  function startingWith(prefix: string): [string, string][] {
    const found: [string, string][] = [];
    for (const name of Object.keys(env).sort()) {
      const value = textOf(name);
      if (name.startsWith(prefix) && value !== undefined) found.push([name, value]);
    }
    return found;
  }

  return { text: textOf, textOrFile, file, startingWith, mistake: note };
}
