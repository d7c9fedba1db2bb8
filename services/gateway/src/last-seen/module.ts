export { createSeen, type Seen } from './last-seen.ts';
