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
import { type AgreementParty, isDisputed, isVerified } from '../domain/agreement.ts';
import { outcomes, ownerStatuses, statuses } from '../domain/enum-names.ts';
import { approvalsOf } from '../domain/machine.ts';
import { replacedBy } from '../domain/record.ts';
import { ownSigning } from '../domain/signing.ts';

export function showAgreement(
  { config, homeNames, sealer }: Pick<Context, 'config' | 'homeNames' | 'sealer'>,
  row: AgreementRow,
  caller: Pick<Caller, 'id'>,
): Shown {
  const given = (at: Date | null) => (at === null ? undefined : timestampFromDate(at));
  const latest = row.signed_settlement === null ? row.record : row.settlement;
  const shown = create(AgreementSchema, {
    id: printId('agr', row.id),
    title: row.title,
    terms: row.terms,
    termsDigest: row.terms_digest,
    sides: row.sides.map((side) => sideOf(row, side)),
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
    ...replacedBy(row),
    disputed: isDisputed(row),
    sideGone: row.sides.some(({ gone }) => gone),
    ...(row.signed_record !== null && { record: JSON.parse(row.signed_record) }),
    ...(row.signed_settlement !== null && { settlement: JSON.parse(row.signed_settlement) }),
    ...(row.signed_record !== null &&
      latest !== null && { receipt: receiptLink(sealer, config.siteUrl, latest) }),
    signing: ownSigning(homeNames.ownHome, row),
    revision: row.revision,
  });
  return seenBy(shown, row.sides, caller);
}

/** Adds the parts of an agreement that depend on the reader. @param sides as this home stores them */
export function seenBy(shown: Shown, sides: readonly AgreementParty[], { id }: Pick<Caller, 'id'>): Shown {
  const isTheirs = ({ ai, person }: AgreementParty) => ai === id || person === id;
  const asked = sides.filter((side) => isTheirs(side) && side.home === undefined && side.asked);
  const [approval] = approvalsOf(asked);
  return {
    ...shown,
    sides: shown.sides.map((side, index) => ({
      ...side,
      nameVerified: isVerified(sides[index] as AgreementParty),
      yours: isTheirs(sides[index] as AgreementParty),
    })),
    ...(approval !== undefined && { approval: printId('apr', approval) }),
  };
}

function sideOf(
  { needs_owners }: AgreementRow,
  side: AgreementParty,
): MessageInitShape<typeof AgreementSideSchema> {
  return {
    address: side.address,
    name: side.name,
    ownerStatus: ownerStatuses.valueOf(side.status),
    ...(side.signedAt !== null && { signedAt: timestampFromMs(side.signedAt) }),
    ...(needs_owners && side.approval !== null && { ownerApproved: side.approvedAt !== null }),
    ownKey: side.signature !== null,
    ...(side.settled !== null && { settled: outcomes.valueOf(side.settled) }),
    ...(side.note !== '' && { note: side.note }),
    gone: side.gone,
  };
}
