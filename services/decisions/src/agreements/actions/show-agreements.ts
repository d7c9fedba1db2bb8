import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import {
  AgreementSchema,
  type AgreementSideSchema,
  type Agreement as Shown,
} from '@hearth/proto/decisions/v1/agreements';
import { receiptLink } from '@hearth/receipts';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import { isDisputed, isVerified, type Side } from '../domain/agreement.ts';
import { outcomes, ownerStatuses, statuses } from '../domain/enum-names.ts';
import { signingOf } from '../domain/signing.ts';

/** An agreement as the caller may see it. */
export function showAgreement(
  { config, homeNames, sealer }: Pick<Context, 'config' | 'homeNames' | 'sealer'>,
  row: AgreementRow,
  caller: Pick<Caller, 'id'>,
): Shown {
  const given = (at: Date | null) => (at === null ? undefined : timestampFromDate(at));
  const own = row.sides.find(
    (side) => isOf(side, caller) && side.approval !== null && side.asked && side.home === undefined,
  );
  const latest = row.signed_settlement === null ? row.record : row.settlement;
  return create(AgreementSchema, {
    id: printId('agr', row.id),
    title: row.title,
    terms: row.terms,
    termsDigest: row.terms_digest,
    sides: row.sides.map((side) => sideOf(row, side, caller)),
    status: statuses.valueOf(row.status),
    why: row.why ?? undefined,
    reason: row.reason ?? undefined,
    by: row.sides[0]?.address ?? '',
    createdAt: timestampFromDate(row.started_at),
    signBy: timestampFromDate(row.sign_by),
    dueAt: given(row.fulfil_by),
    readyAt: given(row.ready_at),
    settledAt: given(row.status === 'settled' ? row.settled_at : null),
    needsOwners: row.needs_owners,
    ...(row.replaces !== null && { replaces: printId('agr', row.replaces) }),
    disputed: isDisputed(row),
    sideGone: row.sides.some(({ gone }) => gone),
    ...(row.signed_record !== null && { record: JSON.parse(row.signed_record) }),
    ...(row.signed_settlement !== null && { settlement: JSON.parse(row.signed_settlement) }),
    ...(row.signed_record !== null &&
      latest !== null && { receipt: receiptLink(sealer, config.siteUrl, latest) }),
    ...(own !== undefined && { approval: printId('apr', own.approval as string) }),
    signing: signingOf(homeNames.ownHome, row),
    revision: row.revision,
  });
}

function sideOf(
  { needs_owners }: AgreementRow,
  side: Side,
  caller: Pick<Caller, 'id'>,
): MessageInitShape<typeof AgreementSideSchema> {
  return {
    address: side.address,
    name: side.name,
    nameVerified: isVerified(side),
    ownerStatus: ownerStatuses.valueOf(side.status),
    ...(side.signedAt !== null && { signedAt: timestampFromMs(side.signedAt) }),
    ...(needs_owners && side.approval !== null && { ownerApproved: side.approvedAt !== null }),
    ownKey: side.signature !== null,
    ...(side.settled !== null && { settled: outcomes.valueOf(side.settled) }),
    ...(side.note !== '' && { note: side.note }),
    gone: side.gone,
    yours: isOf(side, caller),
  };
}

const isOf = ({ ai, person }: Side, { id }: Pick<Caller, 'id'>) => ai === id || person === id;
