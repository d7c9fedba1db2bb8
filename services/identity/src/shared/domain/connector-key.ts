import { hash } from 'node:crypto';
import type { Ids } from '@hearth/ids';

/** The key of an AI, which is shown once. Stored are its hash and what tells it from the AI's other keys. */
export interface ConnectorKey {
  text: string;
  /** SHA-256 of the text. */
  hash: Buffer;
  prefix: string;
}

/** By which people and secret scanners know such a key. */
const keyPrefix = 'hearth_ai_';
const secretLength = 43;
/** Tells the keys of one AI apart and gives away 24 of 256 bits. */
const shownLength = 4;

export function newConnectorKey(ids: Pick<Ids, 'token'>): ConnectorKey {
  const text = `${keyPrefix}${ids.token(secretLength)}`;
  return {
    text,
    hash: hash('sha256', text, 'buffer'),
    prefix: text.slice(0, keyPrefix.length + shownLength),
  };
}
