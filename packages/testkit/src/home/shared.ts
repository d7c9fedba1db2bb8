import type { Topology } from './start.ts';

/** Where globalSetup leaves the address of the home that all acceptance tests share. */
export const sharedHomeVariable = 'HEARTH_TEST_HOME';

export interface SharedHome {
  topology: Topology;
  /** One for each gateway. */
  urls: string[];
  operatorKey: string;
  /** Its name to other homes. */
  name: string;
  /** A free port: the home that listens there is another one to it, `localhost:<port>`. */
  beside: number;
}

/** The home of this test run; it is used by other test files at the same time, and must not be stopped. */
export function sharedHome(): SharedHome {
  const home = findSharedHome();
  if (home === undefined) throw new Error(`${sharedHomeVariable} is not set: run the tests with npm test`);
  return home;
}

let found: SharedHome | undefined;

/** The same; undefined where the run has none. */
export function findSharedHome(): SharedHome | undefined {
  const text = process.env[sharedHomeVariable];
  if (text !== undefined) found ??= JSON.parse(text) as SharedHome;
  return found;
}
