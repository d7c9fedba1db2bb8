import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

export type Source = Client<typeof ItemSourceService>;

/** A kind of item, and the service that creates it. */
export interface Kind {
  source: Source;
  /** The prefix of its ids: "apr". */
  prefix: Parameters<typeof parseId>[0];
  /** How many of `senders` count as the sender: only the first, or the sender's person as well. */
  senders: 1 | 2;
  /** Whether a person may also settle items at their own front door. */
  atDoor: boolean;
}

export type Kinds = ReadonlyMap<string, Kind>;

export function createKinds({ peer }: Pick<Host, 'peer'>): Kinds {
  return new Map<string, Kind>([
    ['approval', { source: peer('approvals', ItemSourceService), prefix: 'apr', senders: 1, atDoor: false }],
    ['message', { source: peer('messages', ItemSourceService), prefix: 'msg', senders: 1, atDoor: true }],
    ['invite', { source: peer('groups', ItemSourceService), prefix: 'inv', senders: 2, atDoor: false }],
    ['agreement', { source: peer('decisions', ItemSourceService), prefix: 'agr', senders: 1, atDoor: true }],
  ]);
}

/** The kind and uuid in a printed id. @throws not_found for any other text */
export function readItemId(kinds: Kinds, text: string): { name: string; kind: Kind; id: string } {
  for (const [name, kind] of kinds) {
    const id = parseId(kind.prefix, text);
    if (id !== null) return { name, kind, id };
  }
  throw notFound();
}
