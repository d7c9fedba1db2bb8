import { afterEach, beforeEach } from '@jest/globals';
import { startApps, type TestApps } from './start-apps.ts';

/** Fresh apps for each test of the file that imports it. */
export let home: TestApps;

beforeEach(async () => {
  home = await startApps();
});
afterEach(() => home.stop());
