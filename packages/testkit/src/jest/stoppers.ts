export type Stopper = () => Promise<unknown>;

/** One for each server that globalSetup started. globalTeardown runs in the same process and calls them, last in first out. */
export const stoppers: Stopper[] = [];
