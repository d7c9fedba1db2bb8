export { createSessions, type Sessions, type SessionsOptions, type Visit } from './sessions.ts';
