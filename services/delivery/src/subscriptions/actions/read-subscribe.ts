import { badField, forbidden, isHearthError } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { SubscribeRequest } from '@hearth/proto/delivery/v1/subscriptions';
import type { Call } from '@hearth/rpc';
import { readStandardSecret, type WakeUpKind, wakeUps } from '@hearth/webhooks';
import type { StreamPlace, Woken } from '../../shared/domain/streams.ts';
import type { Context } from '../context.ts';
import { readCursor } from '../domain/cursor.ts';
import { subscriptionId } from '../domain/secrets.ts';
import { readFilter, readKind } from './filter.ts';
import { findWoken } from './find-woken.ts';

/** A requested subscription, checked as far as possible without calling its address. */
export interface AskedSubscription extends Woken {
  /** uuid */
  id: string;
  name: string;
  /** uuid */
  group: string | null;
  groupReference: string | null;
  url: string;
  secret: Buffer;
  place: StreamPlace | null;
  ttlMs: number | null;
  maxAgeMs: number | null;
}

/**
 * @throws bad_field with the reason; forbidden for an AI without an owner if the event only concerns AIs that
 * have one
 */
export async function readSubscribe(
  context: Context,
  request: SubscribeRequest,
  call: Call,
): Promise<AskedSubscription> {
  const kind = readKind(request.name);
  const { group, groupReference = null } = readFilter({ name: request.name, group: request.group });
  const url = readUrl(context, request.url);
  const secret = readStandardSecret(request.secret);
  if (secret === null)
    throw badField('secret', 'must be whsec_ and the base64 of 24 to 64 bytes that you drew at random');
  const woken = await findWoken(context, request.id, call);
  if (woken.person === null && !kind.withoutOwner) throw needsOwner(kind);
  if (group !== null) await checkGroup(context, groupReference ?? printId('grp', group), woken, call);
  return {
    ...woken,
    id: subscriptionId({ ai: woken.ai, url, name: kind.name, group }),
    name: kind.name,
    group,
    groupReference,
    url,
    secret,
    place: readPlace(woken.ai, request.cursor),
    ttlMs: request.ttlMs === undefined ? null : Number(request.ttlMs),
    maxAgeMs: request.maxAgeMs === undefined ? null : Number(request.maxAgeMs),
  };
}

/** Returns the normalized form of an address. @throws bad_field if it may not be called */
export function readUrl({ outbound }: Pick<Context, 'outbound'>, url: string): string {
  try {
    return outbound.http.check(url).href;
  } catch (error) {
    if (isHearthError(error) && error.kind === 'bad_request') throw badField('url', error.message);
    throw error;
  }
}

function needsOwner({ name }: WakeUpKind): Error {
  const open = wakeUps.filter(({ withoutOwner }) => withoutOwner).map((kind) => kind.name);
  return forbidden(
    `${name} is of what happens to a person, and nobody owns this AI; it can be woken for ${open.join(', ')}`,
  );
}

async function checkGroup({ groups }: Context, group: string, { person }: Woken, call: Call): Promise<void> {
  if (person === null)
    throw badField('group', 'must be left out: nobody owns this AI, and it is in no group');
  const found = await groups.findMembership({ group, person, elsewhere: true }, { call });
  if (found.group === undefined) throw badField('group', 'must be the id of a group that its person is in');
}

function readPlace(ai: string, cursor: string | undefined): StreamPlace | null {
  if (cursor === undefined) return null;
  const place = readCursor(ai, cursor);
  if (place === null)
    throw badField(
      'cursor',
      'must be a cursor that this AI was given, as it was given; without it you begin now',
    );
  return place;
}
