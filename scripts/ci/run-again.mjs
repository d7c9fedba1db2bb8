import { writeFileSync } from 'node:fs';
import { readResults } from './sum-results.mjs';

/** More failures than this at once are no accident. */
const mostFiles = 5;

/**
 * The test files that failed in jest's results; empty if there are too many.
 *
 * @returns {string[]}
 */
export function failedFiles(results) {
  const files =
    readResults(results)
      ?.testResults.filter(failed)
      .map((file) => file.name) ?? [];
  return files.length <= mostFiles ? files : [];
}

/**
 * Replaces files in the first run's results by the same files of a second run.
 *
 * @returns {string[]} the files that failed and then passed
 */
export function mergeAgain(results, resultsAgain) {
  const first = readResults(results);
  const again = readResults(resultsAgain);
  if (first === undefined || again === undefined) return [];
  const later = new Map(again.testResults.map((file) => [file.name, file]));
  const steadied = first.testResults.filter(
    (file) => failed(file) && later.has(file.name) && !failed(later.get(file.name)),
  );
  const merged = first.testResults.map((file) => later.get(file.name) ?? file);
  writeFileSync(results, JSON.stringify({ ...first, ...counts(merged), testResults: merged }));
  return steadied.map((file) => file.name);
}

const failed = (file) => file.status === 'failed';

function counts(files) {
  const tests = files.flatMap((file) => file.assertionResults.map(({ status }) => status));
  const count = (...statuses) => tests.filter((status) => statuses.includes(status)).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending', 'skipped', 'disabled'),
    numTodoTests: count('todo'),
    numRuntimeErrorTestSuites: files.filter((file) => failed(file) && file.assertionResults.length === 0)
      .length,
  };
}
