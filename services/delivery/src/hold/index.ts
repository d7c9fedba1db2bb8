export { createHold } from '../rpc/hold.ts';
export { createWatchers, type Watcher, type Watchers } from './watchers.ts';
