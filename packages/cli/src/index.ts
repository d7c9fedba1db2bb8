export type { Deps } from './deps.ts';
export { run } from './run.ts';
