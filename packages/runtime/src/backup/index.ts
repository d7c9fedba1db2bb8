export { explain } from '../explain.ts';
export { type Backup, backUp } from './back-up.ts';
export { type Restored, restore } from './restore.ts';
