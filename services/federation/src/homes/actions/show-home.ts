import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { isHomeName } from '@hearth/addresses';
import { enumNames } from '@hearth/enum-names';
import { badField, notFound } from '@hearth/errors';
import { type OtherHomeSchema, OtherHomeStateSchema } from '@hearth/proto/federation/v1/homes';
import { type HomeKeySchema, HomeKeyStatusSchema } from '@hearth/proto/federation/v1/keys';
import { anewAfterMs, heldKeys, type KeptDocument, type ListedKey } from '@hearth/signing';
import type { Context } from '../context.ts';
import { listHomes, type ShownHome } from '../db/shown-homes.ts';
import { readEndpoint } from '../domain/endpoint.ts';
import { policyFor, policyShown } from '../domain/policy.ts';

const states = enumNames(OtherHomeStateSchema);
const statuses = enumNames(HomeKeyStatusSchema);
const knownUses = ['record', 'request', 'recovery'];

/** @throws bad_field unless it is the name of another home */
export function requireOtherHome(home: string, { homeNames }: Pick<Context, 'homeNames'>): void {
  if (home === homeNames.ownHome) throw badField('home', 'is this home itself');
  if (!isHomeName(home, homeNames))
    throw badField(
      'home',
      'must be the name of a home: a DNS name such as home.example, or one that HEARTH_DEV_HOMES lists',
    );
}

/** Returns a home with its keys, as stored now. @throws not_found, bad_field */
export async function showHome(
  context: Context,
  home: string,
): Promise<MessageInitShape<typeof OtherHomeSchema>> {
  requireOtherHome(home, context);
  const now = new Date(context.clock.now());
  const [row] = await listHomes(context.database.db, { home, now, limit: 1 });
  if (row === undefined) throw notFound();
  return toOtherHome(row, context, true);
}

export function toOtherHome(
  row: ShownHome,
  { devHomes, mode }: Pick<Context, 'devHomes' | 'mode'>,
  whole: boolean,
): MessageInitShape<typeof OtherHomeSchema> {
  const { home, kept, goodAt, triedAt, failure, policy, unsent, restored, lastError } = row;
  const endpoint = kept === null ? null : readEndpoint(home, kept.document['federation'], devHomes);
  return {
    home,
    policy: policyShown(policy),
    talks: policyFor(mode, row.word) !== 'blocked',
    status: states.valueOf(row.state),
    ...(goodAt !== null && { goodAt: timestampFromDate(goodAt) }),
    ...(triedAt !== null && { triedAt: timestampFromDate(triedAt) }),
    ...(failure !== null && { failure }),
    ...(kept !== null && {
      docSeq: BigInt(kept.document.doc_seq),
      validUntil: timeOf(kept.document.valid_until),
      keys: whole ? heldKeys(kept).map(toKey) : [],
    }),
    ...(endpoint !== null && typeof endpoint !== 'string' && { endpoint: endpoint.endpoint }),
    unsent,
    ...(row.failingSince !== null && { failingSince: timestampFromDate(row.failingSince) }),
    ...(lastError !== null && { lastError }),
    ...(row.restoredAt !== null && {
      restoredAt: timestampFromDate(row.restoredAt),
      restored: restored ?? '',
    }),
    ...(row.beganAnewAt !== null && { beganAnewAt: timestampFromDate(row.beganAnewAt) }),
    ...(kept !== null && kept.waiting !== null && { waiting: toWaiting(kept.waiting, whole) }),
  };
}

function toWaiting({ kept, since }: KeptDocument['waiting'] & object, whole: boolean) {
  return {
    since: timestampFromDate(new Date(since)),
    takenAt: timestampFromDate(new Date(since + anewAfterMs)),
    docSeq: BigInt(kept.document.doc_seq),
    keys: whole ? kept.document.keys.map(toKey) : [],
  };
}

function toKey({
  kid,
  uses = [],
  status,
  not_before,
  not_after,
  revoked_at,
}: ListedKey): MessageInitShape<typeof HomeKeySchema> {
  return {
    kid,
    uses: uses.filter((use) => knownUses.includes(use)),
    status: statuses.valueOf(status ?? ''),
    ...(isGiven(not_before) && { notBefore: timeOf(not_before) }),
    ...(isGiven(not_after) && { notAfter: timeOf(not_after) }),
    ...(isGiven(revoked_at) && { revokedAt: timeOf(revoked_at) }),
  };
}

const isGiven = (time: string | null | undefined): time is string => time !== undefined && time !== null;
const timeOf = (time: string) => timestampFromDate(new Date(time));
