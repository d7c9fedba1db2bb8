export type Stopper = () => Promise<unknown>;

/** What globalSetup started; globalTeardown, which runs in the same process, stops it, last in first out. */
export const stoppers: Stopper[] = [];
