import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withLock } from './lock.mjs';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('two processes take turns', async () => {
  const log = join(folder, 'log');
  const program = `
    const { appendFileSync } = await import('node:fs');
    const { setTimeout } = await import('node:timers/promises');
    const { withLock } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.mjs'))});
    await withLock(${JSON.stringify(path)}, 'works', async () => {
      appendFileSync(${JSON.stringify(log)}, 'in ');
      await setTimeout(100);
      appendFileSync(${JSON.stringify(log)}, 'out ');
    });`;
  const run = () => once(spawn(process.execPath, ['--input-type=module', '-e', program]), 'close');
  expect(await Promise.all([run(), run(), run()])).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ]);
  expect(readFileSync(log, 'utf8')).toBe('in out in out in out ');
});

test('the lock of a dead process is ignored', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(path, String(pid));
  expect(await withLock(path, 'works', () => 'done')).toBe('done');
});

test('the lock is released when the work fails', async () => {
  const failing = withLock(path, 'works', () => {
    throw new Error('no network');
  });
  await expect(failing).rejects.toThrow('no network');
  expect(existsSync(path)).toBe(false);
});
