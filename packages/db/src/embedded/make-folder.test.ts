import { spawnSync } from 'node:child_process';
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { patienceMs } from '@hearth/testkit/patience';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeFolder } from './make-folder.ts';
import { remove, temporaryFolder } from './test-support.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => remove(folder));

test('creates a folder and its parents, and leaves an existing folder alone', () => {
  const path = join(folder, 'a', 'b');
  makeFolder(path);
  makeFolder(path);
  makeFolder(`${path}/`);
  expect(statSync(path).isDirectory()).toBe(true);
});

test('refuses a file and a dangling link', () => {
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
  expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(folder, 'file', 'sub'))).toThrow(/ENOTDIR|EEXIST/);
  expect(() => makeFolder(join(folder, 'link'))).toThrow('EEXIST');
  expect(existsSync(join(folder, 'nowhere'))).toBe(false);
});

// In a separate process, which can be killed if it hangs.
test('fails where no folder can be created, such as /proc', () => {
  const script = `import { makeFolder } from ${JSON.stringify(join(import.meta.dirname, 'make-folder.ts'))}; makeFolder('/proc/hearth/data')`;
  const args = ['--no-warnings', '--input-type=module', '--eval', script];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: patienceMs });
  expect(stderr).toMatch(/E[A-Z]+: .*mkdir '\/proc/);
  expect(status).toBe(1);
});
