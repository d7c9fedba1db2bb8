import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { failedFiles, mergeAgain } from './run-again.mjs';
import { sumResults } from './sum-results.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-ci-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Jest's results for these files, each with its tests' statuses. */
function results(name: string, files: Record<string, string[]>): string {
  const file = join(folder, name);
  const testResults = Object.entries(files).map(([name, statuses]) => ({
    name,
    status: statuses.length === 0 || statuses.includes('failed') ? 'failed' : 'passed',
    assertionResults: statuses.map((status) => ({ status })),
  }));
  writeFileSync(file, JSON.stringify({ testResults }));
  return file;
}

test('a few failed files run again; many failures or unreadable results do not', () => {
  const some = results('some.json', { '/a': ['passed', 'failed'], '/b': ['passed'], '/broken': [] });
  const many = results(
    'many.json',
    Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`/${i}`, ['failed']])),
  );
  expect(failedFiles(some)).toEqual(['/a', '/broken']);
  expect(failedFiles(many)).toEqual([]);
  expect(failedFiles(join(folder, 'missing.json'))).toEqual([]);
});

test('a file that passes the second time counts as passed and is named; one that fails again counts as failed', () => {
  const first = results('first.json', {
    '/a': ['passed', 'failed', 'pending'],
    '/b': ['failed'],
    '/c': ['passed', 'todo'],
    '/broken': [],
  });
  const again = results('again.json', {
    '/a': ['passed', 'passed', 'pending'],
    '/b': ['failed'],
    '/broken': [],
  });
  expect(mergeAgain(first, again)).toEqual(['/a']);
  expect(sumResults([first])).toEqual({ passed: 3, failed: 2, skipped: 2 });
});

test('a second run without results changes nothing', () => {
  const first = results('first.json', { '/a': ['failed'] });
  const before = readFileSync(first, 'utf8');
  expect(mergeAgain(first, join(folder, 'missing.json'))).toEqual([]);
  expect(readFileSync(first, 'utf8')).toBe(before);
});
