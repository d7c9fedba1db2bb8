import { hash } from 'node:crypto';
import type { Ids } from '@hearth/ids';

/**
 * The key of an AI or app, shown once. Its hash is stored, and a prefix that distinguishes it from other
 * keys.
 */
export interface SecretKey {
  text: string;
  /** SHA-256 of the text. */
  hash: Buffer;
  prefix: string;
}

/** Makes keys recognizable to people and secret scanners. */
const kinds = { ai: 'hearth_ai_', app: 'hearth_app_' } as const;
const secretLength = 43;
/** Distinguishes the keys of one holder; reveals 24 of 256 bits. */
const shownLength = 4;

export function newKey(kind: keyof typeof kinds, ids: Pick<Ids, 'token'>): SecretKey {
  const text = `${kinds[kind]}${ids.token(secretLength)}`;
  return {
    text,
    hash: hash('sha256', text, 'buffer'),
    prefix: text.slice(0, kinds[kind].length + shownLength),
  };
}
