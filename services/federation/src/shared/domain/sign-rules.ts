import { badField, forbidden, type HearthError, unavailable } from '@hearth/errors';

interface Issuer {
  service: string;
  typ: string;
  /** The values of `type` that the service may have signed with that `typ`. */
  types: readonly string[];
}

/** The records that each service may have signed. A service that is not listed gets no signature. */
const issuers: readonly Issuer[] = [
  { service: 'identity', typ: 'svc-card+jws', types: ['card'] },
  { service: 'approvals', typ: 'svc-record+jws', types: ['approval.answer'] },
  {
    service: 'decisions',
    typ: 'svc-record+jws',
    types: ['agreement', 'agreement.settled', 'decision.outcome', 'meeting', 'plan.outcome'],
  },
];

/** The record types that this home issues, for its document. */
export const issuedTypes: readonly string[] = [...new Set(issuers.flatMap((issuer) => issuer.types))].sort();

/** Tolerated clock difference to the asking service: a record carries the time of its signing. */
const clockToleranceMs = 5 * 60_000;

const signatureMembers = ['signature', 'signatures', 'co_signatures'];

/** A record to be signed. */
export interface SignDemand {
  /** The asking service. */
  service: string;
  typ: string;
  record: Readonly<Record<string, unknown>>;
  /** The record's `issued_at` in ms since 1970; null if it is not a time. */
  issuedAt: number | null;
}

/** The home and its key at the time of signing. */
export interface Signer {
  home: string;
  now: number;
  /** Earliest time of records that the key signs, in ms since 1970. */
  keyNotBefore: number;
}

/** Returns why a record may not be signed; null if it may. */
export function refuseToSign(demand: SignDemand, signer: Signer): HearthError | null {
  const { service, typ, record, issuedAt } = demand;
  const type = record['type'];
  const mayIssue = issuers.some(
    (issuer) => issuer.service === service && issuer.typ === typ && issuer.types.includes(type as string),
  );
  if (!mayIssue) {
    return forbidden(
      `the service ${service} has no records of type ${JSON.stringify(type)} signed as ${typ}`,
    );
  }
  if (record['v'] !== 1) return badField('v', 'must be 1, the version of records');
  if (record['home'] !== signer.home) {
    return badField('home', `this home is ${signer.home} and signs for no other`);
  }
  const present = signatureMembers.find((member) => member in record);
  if (present !== undefined)
    return badField(present, 'must be absent: a record to be signed has no signatures yet');
  if (issuedAt === null || Math.abs(issuedAt - signer.now) > clockToleranceMs) {
    return badField('issued_at', 'must be the present time: a record is signed when it is issued');
  }
  if (issuedAt < signer.keyNotBefore) {
    const from = new Date(signer.keyNotBefore).toISOString();
    return unavailable(`the home cannot sign: its clock stands before ${from}, from when its key counts`);
  }
  return null;
}
