import { hash } from 'node:crypto';
import { minute } from '@hearth/clock';
import { parseId, printId } from '@hearth/ids';
import type { Host } from '@hearth/runtime';

/** The page that a link opens, the person that it is for, and its end. */
export interface PageLink {
  /** uuid */
  person: string;
  /** uuid of the app that it was told to. */
  app: string;
  /** A path of the site. */
  path: string;
  endsAt: Date;
  /** SHA-256 by which it is known as opened. */
  hash: Buffer;
}

/** Links that show a page without a sign-in to a person whom an app holds. Nothing is stored of one before it is opened. */
export interface PageLinks {
  /** The path with a token that lets this person see it while this app holds them, for a quarter of an hour. */
  issue(person: { id: string; app: string }, path: string): string;
  /** Null for what was not made here, for another page, or is over. */
  read(token: string, path: string): PageLink | null;
}

/** The name of the token in the query. */
const tokenParameter = 't';

const validMs = 15 * minute;
const context = 'notice.link';
const longestToken = 1_000;

export function createPageLinks({ sealer, clock }: Pick<Host, 'clock' | 'sealer'>): PageLinks {
  function open(token: string): string[] {
    if (token.length > longestToken || !/^[\w-]+$/.test(token)) return [];
    try {
      return sealer.open(Buffer.from(token, 'base64url'), context).toString().split(' ');
    } catch {
      // It was not made here.
      return [];
    }
  }

  return {
    issue({ id, app }, path) {
      const text = [printId('per', id), app, clock.now() + validMs, path].join(' ');
      const token = sealer.seal(Buffer.from(text), context).toString('base64url');
      return `${path}?${new URLSearchParams({ [tokenParameter]: token })}`;
    },
    read(token, path) {
      const [id = '', app = '', ends = '', named] = open(token);
      const person = parseId('per', id);
      const endsAt = new Date(Number(ends));
      if (person === null || named !== path || endsAt.getTime() <= clock.now()) return null;
      // A digest of the bytes, since one token can be written in more than one way.
      return { person, app, path, endsAt, hash: hash('sha256', Buffer.from(token, 'base64url'), 'buffer') };
    },
  };
}
