import { printId } from '@hearth/ids';
import type { AgreementRow } from '../db/agreements.ts';
import { type AgreementParty, isVerified } from './agreement.ts';
import { signedAddress } from './signing.ts';

/** The members of the first record, once all sides have signed. */
export function readyRecord(row: AgreementRow): Record<string, unknown> {
  return {
    agreement: {
      id: printId('agr', row.id),
      title: row.title,
      terms: row.terms,
      terms_digest: row.terms_digest,
      by: signedAddress(row.sides[0] as AgreementParty),
      created_at: row.started_at.toISOString(),
      sign_by: row.sign_by.toISOString(),
      ...(row.fulfil_by !== null && { due_at: row.fulfil_by.toISOString() }),
      needs_owners: row.needs_owners,
      ...replacedBy(row),
    },
    sides: row.sides.map((side) => ({
      address: signedAddress(side),
      name: side.minor ? '' : side.name,
      name_verified: isVerified(side),
      owner_status: side.status,
      signed_at: isoOf(side.signedAt),
      ...(side.approvedAt !== null && { owner_approved_at: isoOf(side.approvedAt) }),
      ...(side.signature !== null && { signature: side.signature }),
      ...saidElsewhere(side, 'sign_agreement'),
    })),
    status: 'ready',
    ready_at: (row.ready_at as Date).toISOString(),
  };
}

/** The agreement that this one replaces: an agr_ id, or the reference of a remote one. */
export function replacedBy(row: Pick<AgreementRow, 'replaces' | 'replaces_elsewhere'>): {
  replaces?: string;
} {
  const replaces = row.replaces === null ? row.replaces_elsewhere : printId('agr', row.replaces);
  return replaces === null ? {} : { replaces };
}

/** The members of the second record, once all sides report that the agreement was kept. */
export function settledRecord(row: AgreementRow): Record<string, unknown> {
  return {
    agreement: { id: printId('agr', row.id), title: row.title, terms_digest: row.terms_digest },
    sides: row.sides.map((side) => ({
      address: signedAddress(side),
      settled: side.settled,
      ...(side.note !== '' && { note: side.note }),
      at: isoOf(side.settledAt),
      ...saidElsewhere(side, 'settle_agreement'),
    })),
    status: 'settled',
    settled_at: (row.settled_at as Date).toISOString(),
  };
}

/** A remote side's home, and its act in full. */
function saidElsewhere({ home, acts }: AgreementParty, operation: string) {
  const item = acts?.[operation];
  return { ...(home !== undefined && { home }), ...(item !== undefined && { item: JSON.parse(item) }) };
}

const isoOf = (at: number | null) => new Date(at ?? 0).toISOString();
