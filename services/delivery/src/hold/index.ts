export { createWatchers, type Watcher, type Watchers } from './actions/watchers.ts';
export { createHold } from './rpc/hold.ts';
