import { printId } from '@hearth/ids';
import { underAge } from '@hearth/people';
import type { AgreementRow } from '../db/agreements.ts';
import type { AgreementParty } from './agreement.ts';

/** A side's address in signed text; withheld for a minor's AI, whose address would identify the child. */
export function signedAddress({ address, minor }: Pick<AgreementParty, 'address' | 'minor'>): string {
  return minor ? underAge : address;
}

type Fields = Record<string, string | boolean | string[]>;
type Signed = Pick<AgreementRow, 'fulfil_by' | 'needs_owners' | 'started_at' | 'terms_digest' | 'title'>;

/**
 * The object that an AI signs with its own key. Built from members of the record alone, so that every reader
 * can rebuild it.
 *
 * @param home the home's name
 * @param agreement the agreement's id there
 * @param sides the sides' addresses there
 */
export function signingOf(home: string, agreement: string, row: Signed, sides: readonly string[]): Fields {
  return {
    ...{ purpose: 'sign_agreement', home, agreement, title: row.title, terms_digest: row.terms_digest },
    ...{ sides: [...sides], needs_owners: row.needs_owners },
    ...(row.fulfil_by !== null && { due_at: row.fulfil_by.toISOString() }),
    issued_at: row.started_at.toISOString(),
  };
}

/** `signingOf` for a local agreement. */
export function ownSigning(home: string, row: AgreementRow): Fields {
  return signingOf(home, printId('agr', row.id), row, row.sides.map(signedAddress));
}
