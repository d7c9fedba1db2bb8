import { hash } from 'node:crypto';
import { minute } from '@hearth/clock';
import { parseId, printId } from '@hearth/ids';
import type { Host } from '@hearth/runtime';

/** The page that a link opens, its reader, and its expiry. */
export interface PageLink {
  /** uuid */
  person: string;
  /** uuid of the app that received it. */
  app: string;
  /** A path of the site. */
  path: string;
  endsAt: Date;
  /** SHA-256 that marks it as opened. */
  hash: Buffer;
}

/** Links that show a page without a sign-in to a person held by an app. Nothing is stored until a link is opened. */
export interface PageLinks {
  /** Returns the path with a token that lets this person see it for a quarter of an hour, while this app holds them. */
  issue(person: { id: string; app: string }, path: string): string;
  /** Returns null if the token is forged, for another page, or expired. */
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
      // The token is forged.
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
      // Hashes the decoded bytes, because a token can be written in several ways.
      return { person, app, path, endsAt, hash: hash('sha256', Buffer.from(token, 'base64url'), 'buffer') };
    },
  };
}
