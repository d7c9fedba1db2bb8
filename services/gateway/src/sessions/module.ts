export { cookieName, readCookie, setCookie } from './cookies.ts';
export { createSessions, type Sessions, type SessionsOptions, type Visit } from './sessions.ts';
