import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ensureTools } from './ensure-tools.mjs';
import { findProgram } from './find-program.mjs';
import { run } from './run.mjs';

test('an unknown tool is refused with the names of known ones', async () => {
  await expect(ensureTools(['ngnix'])).rejects.toThrow(
    "There is no tool named 'ngnix'; there are nats-server, k6, helm, kube-apiserver, ",
  );
});

describe('a program on the PATH', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hearth-path-'));
    for (const name of ['first', 'second']) mkdirSync(join(folder, name));
    path = [join(folder, 'missing'), join(folder, 'first'), join(folder, 'second')].join(delimiter);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('is the first executable file, not a folder or a plain file', () => {
    mkdirSync(join(folder, 'first', 'redis-server'));
    writeFileSync(join(folder, 'first', 'nats-server'), '', { mode: 0o644 });
    for (const name of ['redis-server', 'nats-server']) {
      writeFileSync(join(folder, 'second', name), '', { mode: 0o755 });
      expect(findProgram(name, path)).toBe(join(folder, 'second', name));
    }
  });

  test('may be missing', () => {
    expect(findProgram('redis-server', path)).toBeUndefined();
  });
});

test('a failing program reports its output', () => {
  expect(() => run(process.execPath, ['-e', 'console.error("disk full"); process.exitCode = 3'])).toThrow(
    'disk full',
  );
});
