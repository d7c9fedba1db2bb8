export { browserZone, cookieName, readCookie, setCookie } from './cookies.ts';
export { deviceOf } from './device.ts';
export { createSessions, type Sessions, type Visit } from './sessions.ts';
