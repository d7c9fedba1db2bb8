import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { lockFolder } from './folder-lock.ts';
import { remove, temporaryFolder } from './test-support.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => remove(folder));

test('has one holder at a time, and the next one after its release', () => {
  const first = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(`(process ${process.pid}); stop it`);
  first.release();
  first.release();
  const second = lockFolder(folder);
  expect(readFileSync(join(folder, 'home.pid'), 'utf8')).toBe(`${process.pid}\n`);
  second.release();
  expect(existsSync(join(folder, 'home.pid'))).toBe(false);
});

test('holds even when the holder cannot be determined', () => {
  const lock = lockFolder(folder);
  rmSync(join(folder, 'home.pid'));
  expect(() => lockFolder(folder)).toThrow(`another home runs on the data folder ${folder}; stop it`);
  lock.release();
});

test('ignores the process id that a killed home left behind', () => {
  writeFileSync(join(folder, 'home.pid'), `${process.ppid}\n`);
  lockFolder(folder).release();
});

test('creates the folder, and reports when it cannot', () => {
  lockFolder(join(folder, 'new', 'data')).release();
  writeFileSync(join(folder, 'file'), '');
  expect(() => lockFolder(join(folder, 'file'))).toThrow(/cannot be written.* HEARTH_DATA/);
  writeFileSync(join(folder, 'home.lock'), 'this is no lock file of a home, whoever wrote it');
  expect(() => lockFolder(folder)).toThrow('cannot be locked');
});
