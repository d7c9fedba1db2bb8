import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;

/** The testkit's setup before all tests, and its end after them. */
const fromTestkit = (file) => {
  const path = join(root, 'packages', 'testkit', 'src', 'jest', file);
  return existsSync(path) ? path : undefined;
};

/** A browser takes both cores: what drives one runs apart from what measures time (scripts/test.mjs). */
const browser = process.env.HEARTH_TEST_BROWSER;
const inBrowser = '\\.chromium\\.test\\.ts$';

/** @type {import('jest').Config} */
export default {
  rootDir: root,
  testMatch: [browser === 'only' ? '**/*.chromium.test.ts' : '**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/\\.cache/',
    '<rootDir>/data/',
    ...(browser === 'without' ? [inBrowser] : []),
  ],
  modulePathIgnorePatterns: ['<rootDir>/\\.cache/', '<rootDir>/data/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/scripts/jest/strip-types.mjs' },
  globalSetup: fromTestkit('global-setup.ts'),
  globalTeardown: fromTestkit('global-teardown.ts'),
  testEnvironment: 'node',
  // Above the patience of a test that waits (packages/testkit/src/patience.ts), whose words then say what did not come.
  testTimeout: 120_000,
  // Modules of a test stay in memory after it; collecting gigabytes of them would halt whatever is being measured.
  workerIdleMemoryLimit: '1GB',
};
