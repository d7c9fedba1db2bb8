import { hash } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { day } from '@hearth/clock';
import type { ItemForHomes } from '@hearth/proto/events/v1/events';
import { canonicalize, type JsonObject } from '@hearth/signing';
import { type ItemType, typeName } from '../domain/item-types.ts';

export const longestMs = 14 * day;

/** An item before it is numbered and signed. */
export interface Draft {
  /** uuid of the event that caused it, so that it is numbered once. */
  event: string;
  /** Without the home. */
  id: string;
  rev: number;
  type: ItemType;
  /** The service to which the outcome is reported; empty if none. */
  service: string;
  to: readonly string[];
  /** With its home, or empty. */
  from: string;
  sender: JsonObject | null;
  body: JsonObject;
  issuedAt: Date;
  expiresAt: Date;
  /** The id of the item that must be numbered first. */
  after?: string;
}

/** Items for one home, in order. */
export interface ForHome {
  home: string;
  drafts: readonly Draft[];
}

/** Returns the item that a service announced, for one of its homes. */
export function draftOf(
  announced: ItemForHomes,
  to: readonly string[],
  { event, id, at, from }: { event: string; id: string; at: Date; from: string },
): Draft {
  const latest = at.getTime() + longestMs;
  const asked = announced.expiresAt === undefined ? latest : timestampDate(announced.expiresAt).getTime();
  return {
    event,
    id: announced.id || id,
    rev: Math.max(1, Number(announced.rev)),
    type: typeName(announced.type),
    service: announced.service,
    to,
    from,
    sender: announced.senderJson === '' ? null : (JSON.parse(announced.senderJson) as JsonObject),
    body: JSON.parse(announced.bodyJson || '{}') as JsonObject,
    issuedAt: at,
    expiresAt: new Date(Math.min(asked, latest)),
    ...(announced.after !== '' && { after: announced.after }),
  };
}

/** Returns the item in its signed form. */
export function itemOf(
  draft: Draft,
  { home, destination, seq }: { home: string; destination: string; seq: number },
) {
  const { id, rev, type, to, from, sender, body, issuedAt, expiresAt } = draft;
  return {
    v: 1,
    type,
    id: `r:${home}:${id}`,
    rev,
    seq,
    origin: home,
    destination,
    ...(from !== '' && { from }),
    ...(sender !== null && { sender }),
    ...(to.length > 0 && { to: [...to] }),
    issued_at: issuedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
    body,
  };
}

/** Returns the SHA-256 over what makes two items equal: everything except signatures, number and times. */
export function equalityDigest(item: JsonObject): Buffer {
  const { signature, co_signatures, seq, issued_at, expires_at, ...rest } = item;
  return hash('sha256', canonicalize(rest), 'buffer');
}

export function erasedHash(reference: string): Buffer {
  return hash('sha256', reference, 'buffer');
}
