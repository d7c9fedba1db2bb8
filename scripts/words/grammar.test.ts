import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'words-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function check(): { status: number | null; lines: string[] } {
  const main = join(import.meta.dirname, 'main.ts');
  const { status, stdout } = spawnSync(process.execPath, [main, '--root', root], { encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n').slice(0, -1) };
}

test('mistakes are reported by file and line until they are fixed', () => {
  write('docs/a.md', 'The home sends it.\n\nThe behavior of an home is is\nknwon. A `knwon` home.\n');
  write('proto/a.proto', '// An ask has a asker.\nmessage A {}\n');
  const expected = [
    'docs/a.md:3 "an" [AnA]',
    'docs/a.md:3 "is is" [RepeatedWords]',
    'docs/a.md:3 "behavior" [SpellCheck]',
    'docs/a.md:4 "knwon" [SpellCheck]',
    'proto/a.proto:1 "a" [AnA]',
  ];
  for (const _ of ['first', 'again']) {
    const { status, lines } = check();
    expect(status).toBe(1);
    for (const [index, line] of expected.entries()) expect(lines[index]).toContain(line);
    expect(lines).toHaveLength(expected.length);
  }

  write('docs/a.md', 'The home sends it.\n\nThe behaviour of a home is\nknown.\n');
  write('proto/a.proto', '// An ask has an asker.\nmessage A {}\n');
  expect(check()).toEqual({ status: 0, lines: [] });
});
