export type Stopper = () => Promise<unknown>;

/** One per server that globalSetup started. globalTeardown runs in the same process and calls them in reverse order. */
export const stoppers: Stopper[] = [];
