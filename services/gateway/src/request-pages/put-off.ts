import type { IncomingMessage } from 'node:http';
import { day, second } from '@hearth/clock';
import { cookieName, readCookie, setCookie } from '../sessions/module.ts';

/** Requests that a person put off, kept in a cookie for a day: others notice nothing. */
export interface PutOff {
  has(id: string): boolean;
  /** The Set-Cookie header with these requests added, as name and value. */
  with(ids: readonly string[]): string[];
}

/** The end of an id identifies it, and varies most in ids made from the time. */
const keptCharacters = 12;
const mostKept = 60;
const keptMs = day;

export function readPutOff(request: IncomingMessage, siteUrl: string): PutOff {
  const secure = siteUrl.startsWith('https:');
  const name = cookieName('hearth_later', { secure });
  const kept = (readCookie(request, name) ?? '')
    .split('.')
    .filter((part) => part !== '')
    .slice(0, mostKept);
  return {
    has: (id) => kept.includes(endOf(id)),
    with(ids) {
      const all = [...new Set([...ids.map(endOf), ...kept])].filter((part) => part !== '').slice(0, mostKept);
      return ['Set-Cookie', setCookie(name, all.join('.'), { secure, maxAgeSeconds: keptMs / second })];
    },
  };
}

function endOf(id: string): string {
  return id.replaceAll(/[^0-9A-Za-z]/g, '').slice(-keptCharacters);
}
