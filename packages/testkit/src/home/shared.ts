import type { Topology } from './start.ts';

/** The variable in which globalSetup passes on the address of the acceptance tests' shared home. */
export const sharedHomeVariable = 'HEARTH_TEST_HOME';

export interface SharedHome {
  topology: Topology;
  /** One URL per gateway. */
  urls: string[];
  operatorKey: string;
  /** Its name for other homes. */
  name: string;
  /** A free port. To the home, whatever listens there is another home: `localhost:<port>`. */
  beside: number;
}

/** Returns this test run's home. Other test files use it at the same time, so it must not be stopped. */
export function sharedHome(): SharedHome {
  const home = findSharedHome();
  if (home === undefined) throw new Error(`${sharedHomeVariable} is not set: run the tests with npm test`);
  return home;
}

let found: SharedHome | undefined;

/** The same; undefined if the run has none. */
export function findSharedHome(): SharedHome | undefined {
  const text = process.env[sharedHomeVariable];
  if (text !== undefined) found ??= JSON.parse(text) as SharedHome;
  return found;
}
