import { readFileSync } from 'node:fs';

/** A test file that could not run counts as one failure, and so does a run without results. */
export function sumResults(files) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const file of files) {
    const results = readResults(file) ?? lost;
    sum.passed += results.numPassedTests;
    sum.failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
    sum.skipped += results.numPendingTests + results.numTodoTests;
  }
  return sum;
}

const lost = {
  numPassedTests: 0,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 1,
  numPendingTests: 0,
  numTodoTests: 0,
};

/** Jest's results; undefined if there are none, or they are unreadable. */
export function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
