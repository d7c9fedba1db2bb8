import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sumResults } from './sum-results.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-ci-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function results(name: string, counts: object): string {
  const file = join(folder, name);
  const none = {
    numPassedTests: 0,
    numFailedTests: 0,
    numRuntimeErrorTestSuites: 0,
    numPendingTests: 0,
    numTodoTests: 0,
  };
  writeFileSync(file, JSON.stringify({ ...none, ...counts }));
  return file;
}

test('results are summed over the runs', () => {
  const all = results('all.json', { numPassedTests: 40, numFailedTests: 2, numPendingTests: 1 });
  const split = results('split.json', { numPassedTests: 8, numTodoTests: 3 });
  expect(sumResults([all, split])).toEqual({ passed: 48, failed: 2, skipped: 4 });
});

test('a file that could not run counts as a failure', () => {
  const all = results('all.json', { numPassedTests: 40, numRuntimeErrorTestSuites: 1 });
  expect(sumResults([all])).toEqual({ passed: 40, failed: 1, skipped: 0 });
});

test('a run without readable results counts as a failure', () => {
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '{"numPassed');
  expect(sumResults([broken, join(folder, 'missing.json')])).toEqual({ passed: 0, failed: 2, skipped: 0 });
});
